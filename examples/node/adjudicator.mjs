// Keeps one `bgcore adjudicate batch -` open and settles abandoned games from Node.js: one JSON line in, one out.
//
//   const adjudicator = new Adjudicator({ policy: "play65" });
//   const verdict = await adjudicator.settle(record);      // many may be under way at once
//   await adjudicator.close();
//
// Run by itself it settles the records of its standard input and prints who pays whom:
//
//   node adjudicator.mjs < cases.jsonl

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export class Adjudicator {
  /** `command` starts bgcore; by default the program of that name. */
  constructor({ policy = null, command = ["bgcore"] } = {}) {
    const words = [...command, "adjudicate", "batch", "-", ...(policy === null ? [] : ["--policy", policy])];
    this.waiting = [];
    this.child = spawn(words[0], words.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => {
      const end = (code) => {
        const error = new Error(`bgcore ended with ${code}`);
        for (const { reject } of this.waiting.splice(0)) reject(error);
        resolve(code);
      };
      this.child.once("error", (error) => end(error.message));
      this.child.once("close", end);
    });
    this.child.stdin.on("error", () => {}); // told by "close"
    // Verdicts come in the order of the records, so the oldest question is the one that is answered.
    createInterface({ input: this.child.stdout }).on("line", (line) => this.waiting.shift().resolve(JSON.parse(line)));
  }

  /** Resolves to the verdict; a record that cannot be used has status "rejected" and lists its errors. */
  settle(record) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(JSON.stringify(record) + "\n");
    });
  }

  /** Answers what is under way, ends the process and resolves to its exit code. */
  close() {
    this.child.stdin.end();
    return this.ended;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const command = process.env.BGCORE_COMMAND ? JSON.parse(process.env.BGCORE_COMMAND) : ["bgcore"];
  const adjudicator = new Adjudicator({ command });
  const asked = [];
  for await (const line of createInterface({ input: process.stdin })) asked.push(adjudicator.settle(JSON.parse(line)));
  for (const { case_id, status, transfer } of await Promise.all(asked)) {
    const paid = transfer ? `${transfer.from} pays ${transfer.to} ${transfer.amount}` : "nothing moves";
    console.log(`${case_id}: ${status}, ${paid}`);
  }
  process.exitCode = await adjudicator.close();
}
