import { describe, expect, it } from 'vitest'
import { comparesAlike } from './comparisons.ts'
import { hasOppositeDirection } from './directions.ts'
import { hasReversedRoles } from './roles.ts'

describe('who does what to whom', () => {
  it.each([
    ['The heron catches the frog', 'The frog catches the heron.', true],
    ['The heron catches the frog', 'The heron catches the frog.', false],
    ['The heron catches the frog', 'The frog is caught by the heron.', false],
    ['The frog is caught by the heron', 'The heron is caught by the frog', true],
    ['Heat flows from the stove to the pan', 'Heat flows from the pan to the stove', true],
    ['Heat flows from the stove to the pan', 'from the stove into the pan', false],
    ['Salt and sugar', 'sugar and salt', false],
    ['Honey is denser than milk.', 'Milk is denser than honey', true],
    ['Honey is denser than milk.', 'Honey is less dense than the milk', true],
    ['Honey is denser than milk.', 'Milk is less dense than honey', false],
    ['Honey is denser than milk.', 'Because the honey is more dense than milk', false],
    ['Land warms up faster than the sea', 'The sea warms up faster than the land.', true],
    ['Land warms up faster than the sea', 'The sea warms faster than the land so air rises', true],
    [
      'The land warms faster than the sea, so the air over the land rises.',
      'The sea warms up faster than the land so air rises over the sea.',
      true,
    ],
    ['Cold water has a higher density', 'Warm water has a higher density than cold water', true],
    ['Cold water has a higher density', 'Warm water has a lower density than cold water', false],
    ['The net catches the crab', 'The net is caught by the crab', true],
    ['Land warms up faster than the sea', 'The sea warms more slowly than the land', false],
    ['Land warms up faster than the sea', 'Land warms slower than the sea', true],
    ['Land warms up faster than the sea', 'Land warms quicker than the sea', false],
    ['Warm air is lighter than cold air', 'Warm air is lighter than cold air', false],
    ['Warm air is lighter than cold air', 'cold air is lighter than warm air', true],
    ['A moon is bigger than a comet', 'a comet is smaller than a moon', false],
    ['Plant cells have a wall but animal cells do not', 'Animal cells have a wall but plant cells do not', true],
    ['Plant cells have a wall but animal cells do not', 'animal cells do not have a wall, but plant cells do', false],
    ['Plant cells have a wall but animal cells do not', 'Plants have walls and animals don’t', false],
    ['Plant cells have a wall but animal cells do not', 'Animals have walls, plants have none', true],
    ['Metals conduct but wood does not', 'Wood does not conduct electricity, and metals do', false],
    ['A lorry needs more time than a bicycle', 'A bicycle needs more time than a lorry', true],
  ])('key “%s”, answer “%s”: the other way round %s', (key, answer, reversed) => {
    expect(hasReversedRoles([key], answer)).toBe(reversed)
  })

  it('counts only against every accepted answer', () => {
    expect(
      hasReversedRoles(['The heron catches the frog', 'The frog catches the heron'], 'the frog catches the heron'),
    ).toBe(false)
    expect(hasReversedRoles([], 'the frog catches the heron')).toBe(false)
  })
})

it('knows a comparison in opposite words from its contrary', () => {
  const keys = ['Land warms up faster than the sea, so the air rises.']
  expect(comparesAlike(keys, 'the sea warms slower than land')).toBe(true)
  expect(comparesAlike(keys, 'the sea warms faster than land')).toBe(false)
  expect(comparesAlike(keys, 'the sea is warm')).toBe(false)
})

describe('which way something goes', () => {
  it.each([
    ['The pressure rises', 'the pressure falls', true],
    ['The pressure rises', 'the pressure goes down', true],
    ['The pressure rises', 'it gets lower', true],
    ['The pressure rises', 'the pressure does not fall', false],
    ['The pressure rises', 'the pressure increases', false],
    ['The pressure rises', 'it rises when the volume falls', false],
    ['The pressure rises', 'fewer people came to the market in the winter', false],
    ['Pressure rises as volume falls', 'the pressure falls', false],
  ])('key “%s”, answer “%s”: opposite %s', (key, answer, opposite) => {
    expect(hasOppositeDirection([key], answer)).toBe(opposite)
  })
})
