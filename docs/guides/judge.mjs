// A game server's client: one bgcore process kept open, one JSON line in, one JSON line out, many cases in flight.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Judge {
  /** Start `bgcore adjudicate batch -`; `command` replaces the program and its first arguments. */
  constructor({ policy = "play65", command = ["bgcore"] } = {}) {
    const [program, ...rest] = command;
    this.waiting = []; // verdicts come back in the order of the records
    this.process = spawn(program, [...rest, "adjudicate", "batch", "-", "--policy", policy], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      this.waiting.shift().resolve(JSON.parse(line));
    });
    this.process.on("error", (error) => this.fail(error));
    this.process.stdin.on("error", (error) => this.fail(error));
    this.process.on("close", (code) => this.fail(new Error(`bgcore ended with code ${code}`)));
  }

  /** The verdict on one record; a record that makes no sense resolves too, with `status: "rejected"`. */
  settle(record) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.process.stdin.write(JSON.stringify(record) + "\n");
    });
  }

  /** No more records: the open ones are answered, and the exit code of the process comes back. */
  close() {
    this.process.stdin.end();
    return this.ended;
  }

  fail(error) {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
