// @ts-check
// The game as a tree: the first child of each node is the game, the others are variations. Nothing that was played is lost.

/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Report} Report */
/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").GameRecord} GameRecord */

export class Node {
  /**
   * @param {number} id
   * @param {Node | null} parent
   * @param {string} ply
   */
  constructor(id, parent, ply) {
    this.id = id;
    this.parent = parent;
    this.ply = ply;
    /** @type {Node[]} */
    this.children = [];
    /** The die that has been rolled here, where it comes before the move. @type {string | null} */
    this.roll = null;
    /** @type {Facts | null} */
    this.facts = null;
    /** @type {Report | null} */
    this.report = null;
    /** @type {Review | null} */
    this.review = null;
    /** Microseconds that the move took. */
    this.time = 0;
  }

  /** Plies from the start. @returns {number} */
  get depth() {
    return this.path().length - 1;
  }

  /** The nodes from the root to this one. @returns {Node[]} */
  path() {
    /** @type {Node[]} */
    const path = [];
    for (let node = /** @type {Node | null} */ (this); node; node = node.parent) path.unshift(node);
    return path;
  }

  /** The plies from the start. @returns {string[]} */
  plies() {
    return this.path().slice(1).map((node) => node.ply);
  }

  /** The nodes from the root through this one and on along the first children. @returns {Node[]} */
  line() {
    const line = this.path();
    for (let node = this.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** Whether it is in the game itself and no variation. @returns {boolean} */
  isMain() {
    return this.path().every((node) => !node.parent || node.parent.children[0] === node);
  }

  /** The die of a ply written `ROLL:MOVE`; null where chance comes after. */
  get rolled() {
    const place = this.ply.indexOf(":");
    return place < 0 ? null : this.ply.slice(0, place);
  }

  /** The move of the ply, without its chance. */
  get move() {
    return this.ply.replace(/^[^:]*:/, "").replace(/=.*$/, "");
  }
}

export class Tree {
  constructor() {
    this.count = 0;
    this.root = this.make(null, "");
  }

  /**
   * @param {Node | null} parent
   * @param {string} ply
   */
  make(parent, ply) {
    return new Node(this.count++, parent, ply);
  }

  /**
   * The child of a node with this ply: the one that is there, or a new one.
   * @param {Node} node
   * @param {string} ply
   */
  add(node, ply) {
    const there = node.children.find((child) => child.ply === ply);
    if (there) return there;
    const child = this.make(node, ply);
    node.children.push(child);
    return child;
  }

  /** @param {number} id @returns {Node | null} */
  find(id) {
    const stack = [this.root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node.id === id) return node;
      stack.push(...node.children);
    }
    return null;
  }

  /** Make the line through a node the game. @param {Node} node */
  promote(node) {
    for (const one of node.path()) {
      if (!one.parent) continue;
      const others = one.parent.children.filter((child) => child !== one);
      one.parent.children = [one, ...others];
    }
  }

  /** Throw a node away with all that follows; its parent. @param {Node} node */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    return node.parent;
  }

  /** The variations as records have them, beside the game. */
  variations() {
    /** @type {{line: number, after: number, plies: string[]}[]} */
    const found = [];
    /** Lines whose side branches are still to be listed: the first node of its own, and its number. @type {[Node, number][]} */
    const lines = [[this.root, 0]];
    for (let next = lines.shift(); next; next = lines.shift()) {
      const [first, number] = next;
      for (let node = /** @type {Node | undefined} */ (first); node; node = node.children[0]) {
        for (const branch of node.children.slice(1)) {
          const plies = branch.line().slice(branch.depth).map((one) => one.ply);
          found.push({ line: number, after: node.depth, plies });
          lines.push([branch, found.length]);
        }
      }
    }
    return found;
  }

  /**
   * The tree of a record.
   * @param {GameRecord} record
   */
  static ofRecord(record) {
    const tree = new Tree();
    /** @type {string[][]} */
    const lines = [record.plies];
    let node = tree.root;
    record.plies.forEach((ply, i) => {
      const child = tree.add(node, ply);
      const value = record.value[i] ?? null;
      if (value !== null || record.depth[i]) {
        child.report = { depth: record.depth[i] ?? null, value, nodes: record.nodes[i] ?? null };
      }
      child.time = record.time_us[i] ?? 0;
      node.roll = child.rolled;
      node = child;
    });
    node.roll = record.roll;
    for (const variation of record.variations ?? []) {
      const plies = [...lines[variation.line].slice(0, variation.after), ...variation.plies];
      lines.push(plies);
      let at = tree.root;
      for (const ply of plies) at = tree.add(at, ply);
    }
    return tree;
  }

  /** As it is stored with the page. */
  toJSON() {
    /** @param {Node} node @returns {any} */
    const pack = ({ id, ply, roll, report, review, time, children }) => ({
      id, ply, roll, report, review, time, children: children.map(pack),
    });
    return { count: this.count, root: pack(this.root) };
  }

  /** @param {any} json */
  static fromJSON(json) {
    const tree = new Tree();
    /** @param {any} packed @param {Node | null} parent @returns {Node} */
    const unpack = (packed, parent) => {
      const node = new Node(packed.id, parent, packed.ply);
      Object.assign(node, { roll: packed.roll, report: packed.report, review: packed.review, time: packed.time });
      node.children = packed.children.map((/** @type {any} */ child) => unpack(child, node));
      return node;
    };
    tree.root = unpack(json.root, null);
    tree.count = json.count;
    return tree;
  }
}
