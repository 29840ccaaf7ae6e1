// The tables of a report: unpack the columns, sort, filter, draw only the rows in view, save what is shown as CSV.
// The page is written by simcheck/report/page.py; the packing is described in simcheck/report/columns.py. Needs unpack.js.
"use strict";
(() => {
  const ROW_HEIGHT = 26; // as in page.css
  const MARGIN = 14; // rows drawn above and below the view
  const PRINTED = 200; // rows on paper
  const SORT_KEYS = 3; // earlier clicks that still break ties
  const NULL = "–";
  const natural = new Intl.Collator("en", { numeric: true }); // joint_10 after joint_9

  // ---- columns ----------------------------------------------------------------------------------------------------

  // A column is {name, unit, kind, shown(row), exact(row), key() -> numbers to sort by (NaN last), test(filter)}.
  function makeColumn(meta, buffer, rows) {
    if (meta.kind === "number") {
      const values = new Float64Array(buffer, meta.offset, rows);
      return {
        ...meta,
        values,
        shown: (row) => formatNumber(values[row], meta.whole),
        exact: (row) => exactNumber(values[row]),
        key: () => values,
        test: (filter) => numberTest(filter, values),
      };
    }
    if (meta.kind === "text") {
      const codes = new (meta.bytes === 2 ? Uint16Array : Uint32Array)(buffer, meta.offset, rows);
      const word = (row) => (codes[row] ? meta.words[codes[row] - 1] : null);
      let key = null;
      return {
        ...meta,
        word,
        shown: (row) => word(row) ?? NULL,
        exact: (row) => word(row) ?? "",
        key: () => (key ??= textKey(codes, meta.words)),
        test: (filter) => textTest(filter, codes, meta.words),
      };
    }
    return { ...meta };
  }

  function textKey(codes, words) {
    const rank = new Float64Array(words.length + 1).fill(NaN);
    [...words.keys()]
      .sort((a, b) => natural.compare(words[a], words[b]) || (words[a] < words[b] ? -1 : 1))
      .forEach((word, position) => (rank[word + 1] = position));
    return Float64Array.from(codes, (code) => rank[code]);
  }

  // Four significant digits; format_number in columns.py writes the same.
  function formatNumber(x, whole) {
    if (x !== x) return NULL;
    if (!isFinite(x)) return x > 0 ? "∞" : "−∞";
    if (whole || x === 0) return String(x === 0 ? 0 : x);
    const size = Math.abs(x);
    const text = size >= 1e-3 && size < 1e4 ? x.toPrecision(4) : x.toExponential(3);
    return text.replace("e+", "e");
  }

  function exactNumber(x) {
    if (x !== x) return "";
    return isFinite(x) ? String(x) : x > 0 ? "inf" : "-inf";
  }

  // ---- filters: a list of tests that all must hold, or null for a filter that is not understood -------------------------

  const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
  const readNumber = (text) => (NUMBER.test(text) ? Number(text) : NaN);

  function numberTest(filter, values) {
    const tests = filter.trim().split(/\s+/).map((term) => numberTerm(term.toLowerCase(), values));
    return tests.includes(null) ? null : (row) => tests.every((test) => test(row));
  }

  function numberTerm(term, values) {
    if (term === "null") return (row) => values[row] !== values[row];
    if (term === "!null") return (row) => values[row] === values[row];
    const range = term.match(/^(.+?)\.\.(.+)$/);
    if (range) {
      const [low, high] = [readNumber(range[1]), readNumber(range[2])];
      return low <= high ? (row) => values[row] >= low && values[row] <= high : null;
    }
    const [, sign, digits] = term.match(/^(>=|<=|>|<|=|)(.*)$/);
    const x = readNumber(digits);
    if (x !== x) return null;
    switch (sign) {
      case ">": return (row) => values[row] > x;
      case ">=": return (row) => values[row] >= x;
      case "<": return (row) => values[row] < x;
      case "<=": return (row) => values[row] <= x;
      case "=": return (row) => values[row] === x;
    }
    // A bare number means what rounds to it: 0.5 finds 0.45 to 0.55.
    const [, decimals = "", power = "0"] = digits.match(/^[-+]?\d*\.?(\d*)(?:e([-+]?\d+))?$/);
    const half = 0.5 * 10 ** (Number(power) - decimals.length);
    return (row) => Math.abs(values[row] - x) <= half;
  }

  function textTest(filter, codes, words) {
    const pass = new Uint8Array(words.length + 1).fill(1); // by word; 0 is null
    for (const term of filter.match(/[!=]?"[^"]*"|\S+/g) ?? []) {
      const not = term.length > 1 && term[0] === "!";
      const rest = not ? term.slice(1) : term;
      const whole = rest.length > 1 && rest[0] === "=";
      const wanted = (whole ? rest.slice(1) : rest).replace(/^"(.*)"$/, "$1").toLowerCase();
      const isNull = rest === "null";
      const found = (word) => (whole ? word === wanted : word.includes(wanted));
      for (let i = 0; i <= words.length; i++) {
        const hit = i === 0 ? isNull : !isNull && found(words[i - 1].toLowerCase());
        if (hit === not) pass[i] = 0;
      }
    }
    return (row) => pass[codes[row]] === 1;
  }

  // ---- one table ------------------------------------------------------------------------------------------------------

  class Table {
    constructor(root, meta, buffer) {
      this.root = root;
      this.id = root.id;
      this.meta = meta;
      this.columns = meta.columns.map((column) => makeColumn(column, buffer, meta.rows));
      this.sort = []; // [{column: index, down: bool}], most important first
      this.filters = new Map(); // column index -> text
      this.page = 0;
      this.sorted = this.shown = Uint32Array.from({ length: meta.rows }, (_, i) => i);
      this.count = root.querySelector(".count");
      this.scroller = root.querySelector(".scroller");
      this.drawn = []; // the row elements in use
      this.buildHead();
      this.buildBar();
      this.scroller.addEventListener("scroll", () => this.later(), { passive: true });
      new ResizeObserver(() => this.later()).observe(this.scroller);
      addEventListener("beforeprint", () => this.drawForPrint());
      addEventListener("afterprint", () => this.draw(true));
      addEventListener("hashchange", () => this.readHash());
      this.readHash(true);
    }

    buildHead() {
      const table = this.scroller.querySelector("table");
      table.setAttribute("aria-colcount", this.columns.length);
      const widths = make("colgroup");
      widths.append(...this.columns.map((column) => make("col", { style: `width: ${column.width}ch` })));
      table.append(widths);
      const names = table.createTHead().insertRow();
      const filters = table.tHead.insertRow();
      names.className = "names";
      filters.className = "filters";
      this.heads = this.columns.map((column, i) => {
        const head = make("th", { scope: "col", className: column.kind, title: column.note });
        head.dataset.name = column.name; // for paper
        if (column.kind === "glyph") {
          head.append(make("span", { className: "name", textContent: column.name }));
          filters.append(make("td"));
        } else {
          const button = make("button", { type: "button" });
          button.append(make("span", { className: "name", textContent: column.name }), make("span", { className: "arrow" }));
          button.addEventListener("click", () => this.sortBy(i));
          head.append(button);
          filters.append(this.filterCell(column, i));
        }
        head.append(make("span", { className: "unit", textContent: column.unit }));
        names.append(head);
        return head;
      });
      this.body = table.createTBody();
      this.before = this.body.appendChild(make("tr", { className: "space" }));
      this.after = this.body.appendChild(make("tr", { className: "space" }));
      for (const row of [this.before, this.after]) row.setAttribute("aria-hidden", "true");
    }

    filterCell(column, i) {
      const number = column.kind === "number";
      const input = make("input", {
        type: "text",
        placeholder: number ? ">0.1" : "text",
        spellcheck: false,
        autocomplete: "off",
        title: number
          ? "All of: >0.1  <=3  0.1..0.5  =2  0.5 (what rounds to it)  null  !null"
          : "All of: text  !text  =whole name  \"with space\"  null  !null",
      });
      input.setAttribute("aria-label", `Filter ${column.name}`);
      input.addEventListener("input", () => this.filterBy(i, input.value));
      column.input = input;
      const cell = make("td");
      cell.append(input);
      return cell;
    }

    buildBar() {
      const bar = this.root.querySelector(".bar");
      this.clear = make("button", { type: "button", textContent: "Clear filters" });
      this.clear.addEventListener("click", () => this.clearFilters());
      this.save = make("button", { type: "button", className: "save", textContent: "Save shown rows (CSV)" });
      this.save.addEventListener("click", () => this.saveCsv());
      bar.append(this.clear, this.save);
      this.pager = make("span", { className: "pager" });
      for (const [text, step] of [["Previous", -1], ["Next", 1]]) {
        const button = make("button", { type: "button", textContent: text });
        button.addEventListener("click", () => this.turnTo(this.page + step));
        this.pager.append(button);
      }
      bar.append(this.pager);
      for (const element of this.root.querySelectorAll("[hidden]")) element.hidden = false;
    }

    // -- state

    sortBy(index) {
      const first = this.sort[0];
      const number = this.columns[index].kind === "number";
      const down = first?.column === index ? !first.down : number; // largest number first, names from A
      this.sort = [{ column: index, down }, ...this.sort.filter((key) => key.column !== index)].slice(0, SORT_KEYS);
      this.orderRows();
      this.applyFilters();
      this.writeHash();
    }

    filterBy(index, text) {
      if (text.trim()) this.filters.set(index, text);
      else this.filters.delete(index);
      this.applyFilters();
      this.writeHash();
    }

    clearFilters() {
      this.filters.clear();
      for (const column of this.columns) if (column.input) column.input.value = "";
      this.applyFilters();
      this.writeHash();
    }

    orderRows() {
      const keys = this.sort.map(({ column, down }) => ({ values: this.columns[column].key(), sign: down ? -1 : 1 }));
      this.sorted = Uint32Array.from({ length: this.meta.rows }, (_, i) => i).sort((a, b) => {
        for (const { values, sign } of keys) {
          const x = values[a], y = values[b];
          if (x < y) return -sign;
          if (x > y) return sign;
          if (x !== y && (x === x || y === y)) return x === x ? -1 : 1; // undefined last, whatever the direction
        }
        return a - b;
      });
      this.heads.forEach((head, i) => {
        const down = this.sort[0]?.column === i ? this.sort[0].down : null;
        if (down === null) head.removeAttribute("aria-sort");
        else head.setAttribute("aria-sort", down ? "descending" : "ascending");
      });
    }

    applyFilters() {
      const tests = [];
      for (const [i, column] of this.columns.entries()) {
        if (!column.input) continue;
        const test = this.filters.has(i) ? column.test(this.filters.get(i)) : undefined;
        column.input.setAttribute("aria-invalid", test === null);
        if (test) tests.push(test);
      }
      this.shown = tests.length ? this.sorted.filter((row) => tests.every((test) => test(row))) : this.sorted;
      this.clear.disabled = this.filters.size === 0;
      this.turnTo(0);
    }

    turnTo(page) {
      this.page = page;
      const pages = Math.ceil(this.shown.length / this.meta.page) || 1;
      const [previous, next] = this.pager.children;
      this.pager.style.display = pages > 1 ? "" : "none";
      previous.disabled = page === 0;
      next.disabled = page === pages - 1;
      const part = pages > 1 ? `, part ${page + 1} of ${pages}` : "";
      this.count.textContent = `${grouped(this.shown.length)} of ${grouped(this.meta.rows)} rows${part}`;
      this.scroller.scrollTop = 0;
      this.draw(true);
    }

    // -- the address keeps the state, for sharing: #rows.sort=-d,object&rows.kind=revolute

    writeHash() {
      const state = hashState();
      for (const key of [...state.keys()]) if (key.startsWith(`${this.id}.`)) state.delete(key);
      state.set(`${this.id}.sort`, this.sort.map(({ column, down }) => (down ? "-" : "") + this.columns[column].name).join(","));
      for (const [i, text] of this.filters) state.set(`${this.id}.where.${this.columns[i].name}`, text);
      history.replaceState(null, "", `#${state}`);
    }

    readHash(first = false) {
      const state = hashState();
      if (!first && ![...state.keys()].some((key) => key.startsWith(`${this.id}.`))) return;
      const index = (name) => this.columns.findIndex((column) => column.name === name && column.kind !== "glyph");
      const sort = state.get(`${this.id}.sort`) ?? this.meta.sort;
      this.sort = [];
      for (const text of sort.split(",")) {
        const exact = index(text);
        const column = exact >= 0 ? exact : text.startsWith("-") ? index(text.slice(1)) : -1;
        if (column >= 0) this.sort.push({ column, down: exact < 0 });
      }
      this.filters.clear();
      this.columns.forEach((column, i) => {
        if (!column.input) return;
        column.input.value = state.get(`${this.id}.where.${column.name}`) ?? "";
        if (column.input.value.trim()) this.filters.set(i, column.input.value);
      });
      this.orderRows();
      this.applyFilters();
    }

    // -- drawing

    later() {
      this.waiting ??= requestAnimationFrame(() => {
        this.waiting = null;
        this.draw(false);
      });
    }

    // The rows [from, to) of the part in view; unless `anew`, only when the view has left what is drawn.
    draw(anew) {
      const start = this.page * this.meta.page;
      const total = Math.min(this.shown.length - start, this.meta.page);
      const top = Math.floor(this.scroller.scrollTop / ROW_HEIGHT);
      const height = Math.ceil(this.scroller.clientHeight / ROW_HEIGHT);
      const from = Math.max(0, Math.min(top - MARGIN, total - height - MARGIN));
      const to = Math.min(total, top + height + MARGIN);
      if (!anew && from === this.from && to === this.to) return;
      [this.from, this.to] = [from, to];
      this.fill(start, from, to, total);
    }

    drawForPrint() {
      const total = Math.min(this.shown.length, PRINTED);
      const rest = total < this.shown.length ? `The first ${grouped(total)} of ${grouped(this.shown.length)} rows` : "All rows";
      const sort = this.sort.map(({ column, down }) => `${this.columns[column].name} ${down ? "descending" : "ascending"}`);
      this.root.querySelector(".printed").textContent = `${rest}${sort.length ? `, by ${sort[0]}` : ""}. Every row is in ${this.meta.file}.`;
      this.fill(0, 0, total, total);
    }

    fill(start, from, to, total) {
      while (this.drawn.length > to - from) this.drawn.pop().remove();
      while (this.drawn.length < to - from) this.drawn.push(this.newRow());
      this.drawn.forEach((row, i) => this.fillRow(row, start + from + i));
      this.before.style.height = `${from * ROW_HEIGHT}px`;
      this.after.style.height = `${(total - to) * ROW_HEIGHT}px`;
      this.scroller.querySelector("table").setAttribute("aria-rowcount", this.shown.length + 2);
    }

    newRow() {
      const row = make("tr");
      row.append(...this.columns.map((column) => make("td", { className: column.kind })));
      this.body.insertBefore(row, this.after);
      return row;
    }

    fillRow(element, position) {
      const row = this.shown[position];
      element.setAttribute("aria-rowindex", position + 3);
      this.columns.forEach((column, i) => {
        const cell = element.cells[i];
        if (column.kind === "glyph") {
          cell.replaceChildren(this.glyph(column, row));
          return;
        }
        const text = column.shown(row);
        const exact = column.exact(row);
        cell.textContent = text;
        cell.title = column.kind === "text" ? (text.length > column.width - 2 ? exact : "") : exact === text ? "" : exact;
      });
    }

    // The intervals of a motion: arcs (rest points up) or bars (rest in the middle), truth outside, prediction inside.
    glyph(column, row) {
      const svg = makeSvg("svg", { viewBox: "-10 -10 20 20", class: "glyph", "aria-hidden": "true" });
      const ends = column.intervals.map((pair) => pair.map((i) => this.columns[i].values[row]));
      const slides = this.columns[column.turns].word(row) === "prismatic";
      const reach = Math.max(...ends.flat().filter(Number.isFinite).map(Math.abs), 1e-300);
      svg.append(makeSvg(slides ? "path" : "circle", slides ? { d: "M0-7V7", class: "rest" } : { r: 0.8, class: "rest" }));
      ends.forEach(([lower, upper], i) => {
        if (!(lower <= upper)) return;
        const d = slides ? bar(lower / reach, upper / reach, i) : arc(lower, upper, i ? 4.5 : 8);
        svg.append(makeSvg("path", { d, class: i ? "prediction" : "truth" }));
      });
      return svg;
    }

    saveCsv() {
      const columns = this.columns.filter((column) => column.kind !== "glyph");
      const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const lines = [columns.map((column) => quote(column.name)).join(",")];
      for (const row of this.shown) lines.push(columns.map((column) => quote(column.exact(row))).join(","));
      const url = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
      make("a", { href: url, download: `shown_${this.meta.file}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    }
  }

  // ---- small helpers ------------------------------------------------------------------------------------------------------

  const grouped = (n) => n.toLocaleString("en");
  const hashState = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

  function makeSvg(tag, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function bar(lower, upper, line) {
    const [x1, x2] = [Math.max(lower, -1), Math.min(upper, 1)].map((x) => (9 * x).toFixed(2));
    const y = line ? 2.5 : -2.5;
    return `M${x1} ${y}H${x1 === x2 ? Number(x2) + 0.5 : x2}`;
  }

  function arc(lower, upper, radius) {
    if (upper - lower >= 2 * Math.PI * 0.999) return `M0 ${-radius}a${radius} ${radius} 0 1 0 .01 0z`;
    const point = (q) => `${(-radius * Math.sin(q)).toFixed(2)} ${(-radius * Math.cos(q)).toFixed(2)}`;
    const end = Math.max(upper, lower + 0.06);
    return `M${point(lower)}A${radius} ${radius} 0 ${end - lower > Math.PI ? 1 : 0} 0 ${point(end)}`;
  }

  for (const root of document.querySelectorAll("[data-table]")) {
    const meta = JSON.parse(root.querySelector("script.meta").textContent);
    unpack(root.querySelector("script.data").textContent.trim())
      .then((buffer) => new Table(root, meta, buffer))
      .then(() => (root.dataset.table = "ready"))
      .catch((error) => {
        root.dataset.table = "failed";
        const cure = `The rows are in ${meta.file} beside this page; a browser of 2023 or later shows them here.`;
        root.querySelector(".count").textContent = `This table could not be shown (${error.message}). ${cure}`;
      });
  }
})();
