import { describe, expect, it } from 'vitest';
import { Figure } from '../../../frontend/chart-figure';

describe('a number on a chart axis', () => {
  it('is rounded after each step', () => {
    expect(new Figure(0.1).add(0.2).toNumber()).toBe(0.3);
    expect(new Figure(0.3).div(0.1).toNumber()).toBe(3);
    expect(new Figure(1.1).mul(new Figure(3)).toNumber()).toBe(3.3);
    expect(new Figure(0.3).sub(0.1).lte(0.2)).toBe(true);
    expect(new Figure(7).mod(new Figure(2.5)).toNumber()).toBe(2);
  });

  it('counts its digits', () => {
    for (let digits = 0; digits < 12; digits += 1)
      expect(new Figure(10).pow(digits).abs().log().toNumber()).toBe(digits);
    expect(new Figure(10).pow(-2).toNumber()).toBe(0.01);
    expect([new Figure(3).isint(), new Figure(2.5).isint(), new Figure(2).lt(new Figure(3))]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
