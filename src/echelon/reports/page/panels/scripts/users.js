// Users: how much each computed, how long each waited, and how equal that is.

// A logarithm has no 0: users with less than these are drawn here.
const LEAST_WAIT = 1, LEAST_SHARE = 1e-6;

panels.users = (data, runs) => {
  let redraw = null, users = data[0], run = runs[0], table = null;
  const { filter } = theSchedule, pick = (row) => filter.toggle({ user: [users.name[row]] }), isChosen = (row) => filter.has({ user: [users.name[row]] });
  const { sort, onSort } = rememberedSort("users-sort", 5, { column: 2, descending: true }, (chosen) => { kept.sort = chosen; draw(); }), kept = { sort };
  const draw = () => {
    byId("users-summary").textContent = fairnessText(users);
    const columns = [
      { name: "User", value: (row) => users.name[row], text: (row) => users.name[row] },
      { name: "Jobs", value: (row) => users.jobs[row], text: (row) => number.format(users.jobs[row]) },
      { name: "Share of work", value: (row) => users.share[row], text: (row) => `${(100 * users.share[row]).toFixed(2)} %` },
      { name: "Mean wait", value: (row) => users.wait[row], text: (row) => duration(users.wait[row]) },
      { name: "Mean slowdown", value: (row) => users.slowdown[row], text: (row) => figure(users.slowdown[row]) },
    ];
    table = sortableTable(byId("users-table"), columns, users.name.length, byId("users-more"), { sort: kept.sort, onSort: (chosen) => { kept.sort = chosen; onSort(chosen); }, onRow: pick, isChosen });
    redraw?.();
  };
  const host = byId("users-chart");
  const chart = (width) => {
    const x = users.share.map((share) => Math.max(share, LEAST_SHARE)), y = users.wait.map((wait) => Math.max(wait, LEAST_WAIT));
    return scatter({
      width, host, x, y, output: byId("users-value"), top: 10 * LEAST_WAIT,
      axes: [logAxis(POWERS_OF_TEN, (share) => share > LEAST_SHARE ? shortPercent(share) : `≤ ${shortPercent(share)}`, { room: 60, size: 36, side: "x" }), logAxis(ROUND_TIMES, (wait) => wait > LEAST_WAIT ? shortTime(wait) : `≤ ${shortTime(wait)}`, { room: 22, size: (_, labels) => widthFor(labels, LEFT + 4), side: "y" })],
      read: (at) => `user ${users.name[at]}: ${shortPercent(users.share[at])} of the processor-seconds, mean wait ${duration(users.wait[at])}, ${number.format(users.jobs[at])} job${users.jobs[at] === 1 ? "" : "s"}`,
      choose: pick,
      paint: (context, place, ratio) => {
        context.fillStyle = runColor(run.place);
        context.globalAlpha = .6;
        for (let i = 0; i < x.length; i++) {
          context.beginPath();
          context.arc(...place(x[i], y[i]), 4 * ratio, 0, 2 * Math.PI);
          context.fill();
          if (!isChosen(i)) continue;
          context.strokeStyle = theme.ink;
          context.lineWidth = 2 * ratio;
          context.stroke();
        }
      },
    });
  };
  runSelect(byId("users-run"), runs, run, (chosen) => {
    [run, users] = [chosen, data[chosen.place]];
    draw();
  });
  draw();
  panelRows.users = () => table.rows();
  if (users.users > 1) redraw = fitted(host, chart);
  else byId("users-plane").hidden = true;
  filter.follow(draw);
  remember(byId("users-run"), "users-run");
};

function fairnessText(users) {
  const one = users.users === 1;
  const unknown = users.unknown ? ` ${number.format(users.unknown)} jobs of no known user do not count here.` : "";
  if (one) return `There is one user, so fairness among users does not apply.${unknown}`;
  return `${number.format(users.users)} users. Jain's fairness index of their mean waits is ${figure(users.jain_wait)}, ` +
    `of their mean bounded slowdowns ${figure(users.jain_slowdown)}; the Gini coefficient of their processor-seconds is ${figure(users.gini)}.${unknown}`;
}
