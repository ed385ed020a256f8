/** The end of a file is missing. What was read before it is imported all the same. */
export class InputCutOff extends Error {
  override readonly name: string = "InputCutOff";
  /** What shows it, as a clause: "its last line ends in the middle". */
  readonly evidence: string;

  constructor(evidence: string, options?: ErrorOptions) {
    super(evidence, options);
    this.evidence = evidence;
  }
}
