// A page opened from the disk may start no worker and read no file: the search then runs in the page itself.
// It is loaded with the first search. The theme's own script asks it as it asks the worker of a served page.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.folder = address.slice(0, address.lastIndexOf("/") + 1);
      this.asked = "";
    }

    postMessage({ init, query }) {
      if (init) {
        setTimeout(() => {
          this.answer({ config: { min_search_length: 3 } }); // as mkdocs has it, if it is not told otherwise
          this.answer({ allowSearch: true });
        });
        return;
      }
      this.asked = query;
      this.loaded ??= this.load("lunr.js").then(() => this.load("search_index.js")).then(() => this.build());
      this.loaded.then(() => query === this.asked && this.answer({ results: this.find(query) }));
    }

    answer(data) {
      this.onmessage({ data });
    }

    load(name) {
      return new Promise((done, failed) => {
        const script = document.createElement("script");
        Object.assign(script, { src: this.folder + name, onload: done, onerror: failed });
        document.head.append(script);
      });
    }

    build() {
      const { config, docs } = window.searchIndex;
      lunr.tokenizer.separator = new RegExp(config.separator);
      this.pages = new Map(docs.map(page => [page.location, page]));
      this.index = lunr(function () {
        this.ref("location");
        this.field("title");
        this.field("text");
        docs.forEach(page => this.add(page));
      });
    }

    find(query) {
      return this.index.search(query).map(({ ref }) => {
        const page = this.pages.get(ref);
        return { ...page, summary: page.text.slice(0, 200) };
      });
    }
  };
}
