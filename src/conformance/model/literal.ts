/**
 * A value that stands for itself, whatever it looks like: what a target, its contract or a user says, and what the run
 * itself puts into a request. Only what a scenario file states is a template.
 */
export class Literal {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
