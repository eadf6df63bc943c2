/** A name with its colour, as the legend and the drawing have it. */
export interface Series {
  readonly name: string;
  readonly color: string;
}
