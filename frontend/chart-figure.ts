/**
 * The decimal number of the chart library, rounded to twelve digits after each step, so that 0.3 / 0.1 is 3. It is built from
 * its own text, so it refers to nothing.
 */
export class Figure {
  readonly value: number;

  constructor(value: number | Figure) {
    this.value = Number(Number(value).toPrecision(12));
  }

  valueOf(): number {
    return this.value;
  }
  toNumber(): number {
    return this.value;
  }
  isint(): boolean {
    return Number.isInteger(this.value);
  }
  lt(other: number | Figure): boolean {
    return this.value < Number(other);
  }
  lte(other: number | Figure): boolean {
    return this.value <= Number(other);
  }
  abs(): Figure {
    return new Figure(Math.abs(this.value));
  }
  add(other: number | Figure): Figure {
    return new Figure(this.value + Number(other));
  }
  sub(other: number | Figure): Figure {
    return new Figure(this.value - Number(other));
  }
  mul(other: number | Figure): Figure {
    return new Figure(this.value * Number(other));
  }
  div(other: number | Figure): Figure {
    return new Figure(this.value / Number(other));
  }
  mod(other: number | Figure): Figure {
    return new Figure(this.value % Number(other));
  }
  pow(exponent: number): Figure {
    return new Figure(this.value ** exponent);
  }
  /** To base ten. */
  log(): Figure {
    return new Figure(Math.log10(this.value));
  }
}
