// Unpacks the columns that reports/page_data/blocks.py packed: base64, deflate, bytes grouped by place, differences.

const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array };

async function unpack(block) {
  const letters = atob(block.data), packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new DecompressionStream("deflate"), writer = stream.writable.getWriter();
  writer.write(packed).catch(() => null); // damaged data are reported when they are read
  writer.close().catch(() => null);
  const grouped = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  const Type = TYPES[block.type], width = Type.BYTES_PER_ELEMENT, n = block.n;
  const bytes = new Uint8Array(n * width);
  for (let place = 0; place < width; place++)
    for (let i = 0, from = place * n; i < n; i++) bytes[i * width + place] = grouped[from + i];
  const values = new Type(bytes.buffer);
  if (block.delta) for (let i = 1; i < n; i++) values[i] += values[i - 1]; // wraps around 32 bits, as packed
  return values;
}

/** Steps with the running integral, so that the mean over any span costs one subtraction. */
function steps(time, value) {
  const integral = new Float64Array(time.length);
  for (let i = 1; i < time.length; i++) integral[i] = integral[i - 1] + value[i - 1] * (time[i] - time[i - 1]);
  return { time, value, integral };
}

/** The page's data with every column as a typed array. */
async function loadRuns(page) {
  const blocks = await Promise.all(page.blocks.map(unpack));
  return page.runs.map((run, place) => {
    const columns = Object.fromEntries(Object.entries(run.columns).map(([name, block]) => [name, blocks[block]]));
    const textOf = (column) => column && ((job) => column.texts ? column.texts[blocks[column.column][job]] : blocks[column.column][job]);
    const labels = Object.fromEntries(Object.entries(run.labels).map(([name, column]) => [name, { of: textOf(column), codes: blocks[column.column] }]));
    const gantt = run.gantt && Object.fromEntries(Object.entries(run.gantt).map(([name, block]) => [name, blocks[block]]));
    const loaded = {
      place, name: run.name, processors: run.processors, capacity: run.capacity, jobs: run.jobs, origin: run.origin, ...columns,
      jobName: textOf(run.job_id), labels,
      closed: run.closed && new Closed({ kinds: run.closed.kinds, names: run.closed.names, sets: run.closed.sets, ...columnsOf(run.closed, blocks) }),
      tries: run.attempts && new Tries({ reasons: run.attempts.reasons, ...columnsOf(run.attempts, blocks) }),
      available: run.available && steps(blocks[run.available.time], blocks[run.available.value]),
      busy: steps(blocks[run.busy.time], blocks[run.busy.value]),
      queue: steps(blocks[run.queue.time], blocks[run.queue.value]),
      power: run.power && steps(blocks[run.power.time], blocks[run.power.value]), idle: run.power && steps(blocks[run.power.time], blocks[run.power.idle]),
      cap: run.power?.cap ?? null, gantt, held: run.nodes ? columns.run : heldTimes(columns.run, gantt, run.sites?.parts), sites: run.sites,
      nodes: run.nodes && { cores: blocks[run.nodes.cores], processor: blocks[run.nodes.processor], type: blocks[run.nodes.type], types: run.nodes.types, clusters: run.nodes.clusters },
    };
    // Where no job was preempted, a wait ends at the start.
    loaded.wait ??= Float64Array.from(loaded.start, (start, job) => start - loaded.submit[job]);
    return Object.assign(loaded, { stack: stackOf(loaded) });
  });
}

/** The columns of a part of a run, as typed arrays. */
const columnsOf = (part, blocks) => Object.fromEntries(Object.entries(part.columns).map(([name, block]) => [name, blocks[block]]));

/** How long each job held processors: from start to end, or in all its pieces; in those of one start as in the longest if they are `parts` of it. */
function heldTimes(run, gantt, parts) {
  if (!gantt?.job) return run;
  const held = new Float64Array(run.length), longest = new Map();
  gantt.job.forEach((job, piece) => {
    const key = parts ? `${job} ${gantt.start[piece]}` : piece, before = longest.get(key) ?? 0;
    if (gantt.run[piece] > before) {
      held[job] += gantt.run[piece] - before;
      if (parts) longest.set(key, gantt.run[piece]);
    }
  });
  return held;
}
