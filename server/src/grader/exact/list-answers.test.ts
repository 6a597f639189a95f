import { describe, expect, it } from 'vitest'
import { judgeSet } from './list-answers.ts'
import { judgeOrder } from './parts/judge-order.ts'

describe('a list in any order', () => {
  const STATES = 'solid, liquid and gas'
  it.each([
    ['gas, solid, liquid', 1],
    ['Liquid; gas; solid', 1],
    ['1. solid\n2. gas\n3. liquid', 1],
    ['The answer is: a solid, a liquid and a gas', 1],
    ['solid, solid, liquid, gas, gas', 1],
    ['sollid, liquid, gas', 1],
    ['It is found as a solid such as ice in winter, as a liquid when we drink it, as gas', 1],
    ['solid, gas', 2 / 3],
    ['solid, liquid, wood', 2 / 3],
    ['solid, liquid, gas, wood', 2 / 3],
    ['solid, liquid, gas, wood, iron, stone', 0],
    ['ice and water', 0],
  ])('“%s” earns %f', (answer, share) => {
    expect(judgeSet([STATES], answer).share).toBeCloseTo(share)
  })

  it.each([
    ['x = 2 or x = -3', 'x = -3, x = 2', 1],
    ['x = 2 or x = −3', '2 and -3', 1],
    ['x = ±4', 'x = 4 or x = -4', 1],
    ['x = ±4', '±4', 1],
    ['x = ±4', 'x = 4', 0.5],
    ['x = 1/2, x = 3', '0.5; 3', 1],
    ['2, 3, 5, 7', '7 5 3 2', 1],
    ['2, 3, 5, 7', '7, 5, 3, 2', 1],
    ['x1 = 2, x2 = 3', 'x₁ = 3 and x₂ = 2', 1],
  ])('of the values %s, “%s” earns %f', (key, answer, share) => {
    expect(judgeSet([key], answer).share).toBeCloseTo(share)
  })

  it('is not held up by an endless list', () => {
    const endless = Array.from({ length: 3000 }, (_, i) => `thing${i}`).join(', ')
    const began = performance.now()
    expect(judgeSet([STATES], endless).share).toBe(0)
    expect(performance.now() - began).toBeLessThan(1500)
  })

  it('takes the best of several accepted lists, and is less sure of what it does not know', () => {
    expect(judgeSet(['red and blue', 'magenta and cyan'], 'cyan, magenta').share).toBe(1)
    expect(judgeSet(['red and blue'], 'crimson and blue').confidence).toBeLessThan(
      judgeSet(['red and blue'], 'red and blue').confidence,
    )
  })
})

it('knows initials', () => {
  expect(judgeOrder('', ['Vehicle fleet, light-emitting diode, sun'], 'vehicle fleet, LED, sun')?.share).toBe(1)
  expect(judgeSet(['LED and sun'], 'light-emitting diode, sun').share).toBe(1)
  expect(judgeSet(['LED and sun'], 'liquid crystal display, sun').share).toBe(0.5)
})

describe('a list in order', () => {
  const KEY = 'Mercury, Venus, Earth, Mars'
  it.each([
    ['mercury → venus → earth → mars', 1],
    ['Mercury then Venus then Earth then Mars', 1],
    ['1) Mercury 2) Venus', 0.5],
    ['Venus, Mercury, Earth, Mars', 0.5],
    ['Mars, Earth, Venus, Mercury', 0],
    ['Mercury', 0.25],
    ['Mercury, Venus, Earth', 0.75],
    ['Mercury, Venus, Jupiter, Earth, Mars', 0.8],
    ['iron', 0],
  ])('“%s” earns %f', (answer, share) => {
    expect(judgeOrder('', [KEY], answer.replace(' 2)', '\n2)'))?.share).toBeCloseTo(share)
  })

  it('reads “greater than” the other way round', () => {
    expect(judgeOrder('', ['1/4 < 1/2 < 3/4'], '3/4 > 1/2 > 1/4')?.share).toBe(1)
    expect(judgeOrder('', ['1/4 < 1/2 < 3/4'], '3/4 < 1/2 < 1/4')?.share).toBeLessThan(0.5)
  })
})

describe('any so many of a pool', () => {
  const POOL = 'any two of: higher speed; tiredness; alcohol or drugs; distraction, such as using a phone'

  it.each([
    ['tiredness and alcohol', 1],
    ['1 tiredness\n2 drugs', 1],
    ['tiredness', 0.5],
    ['tiredness; being tired of tiredness', 0.5],
    ['bad brakes; rain', 0],
  ])('“%s” is worth %d', (answer, share) => {
    expect(judgeSet([POOL], answer).share).toBeCloseTo(share)
  })

  it('costs nothing for one thing more that is wrong, and is surer of less than of other things', () => {
    expect(judgeSet([POOL], 'tiredness; drugs; rain').share).toBe(1)
    expect(judgeSet([POOL], 'tiredness').confidence).toBeGreaterThan(judgeSet([POOL], 'tiredness; rain').confidence)
    expect(judgeSet([POOL], 'a slower speed; tiredness').share).toBe(0.5)
    expect(judgeSet([POOL], 'using the phone; going at a greater speed').share).toBe(1)
  })

  it('earns nothing more by listing everything, and is not sure of other words', () => {
    expect(judgeSet([POOL], 'rain; snow; tiredness; drugs; speed; ice').share).toBeLessThan(1)
    expect(judgeSet([POOL], 'looking at messages; rain').confidence).toBeLessThan(0.62)
  })
})
