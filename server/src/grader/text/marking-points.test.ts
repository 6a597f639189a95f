import { describe, expect, it } from 'vitest'
import { markingPointsOf } from './marking-points.ts'

describe('the points of a key', () => {
  it.each([
    [
      'marks in brackets',
      'warm air rises (1) it cools (1) vapour condenses (1)',
      3,
      ['warm air rises', 'it cools', 'vapour condenses'],
    ],
    ['lines with bullets', '• warm air rises\n• it cools', 2, ['warm air rises', 'it cools']],
    [
      'semicolons',
      'warm air rises; it cools; vapour condenses.',
      3,
      ['warm air rises', 'it cools', 'vapour condenses.'],
    ],
    ['sentences', 'Warm air rises. Vapour condenses.', 2, ['Warm air rises.', 'Vapour condenses.']],
    [
      'clauses, where there are too few sentences',
      'Warm air rises quickly because it expands greatly.',
      2,
      ['Warm air rises quickly', 'it expands greatly.'],
    ],
    ['one idea', 'Warm air rises.', 2, ['Warm air rises.']],
    [
      'one mark',
      'Warm air rises quickly because it expands greatly.',
      1,
      ['Warm air rises quickly because it expands greatly.'],
    ],
  ])('are read from %s', (_, key, marks, points) => {
    expect(markingPointsOf(key, marks)).toEqual(points)
  })

  it.each([
    'any two from: salt melts ice; heat moves water, which warms air',
    'Any 3 of the following: salt melts ice; heat moves water, which warms air',
    'salt melts ice; heat moves water, which warms air (max 2)',
  ])('are not divided into clauses where only some are asked for: “%s”', (key) => {
    expect(markingPointsOf(key, 4)).toEqual(['salt melts ice', 'heat moves water, which warms air'])
  })
})
