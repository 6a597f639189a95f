import { describe, expect, it } from 'vitest'
import { agreesInContrast, contradictionsOf, differencesBetween } from './differences.ts'
import { labelsIn, statementOf } from './statements.ts'

const contradictions = (keys: string[], answer: string) => [...contradictionsOf(keys, answer, labelsIn(keys))]

describe('who does what to whom, and which is said of which', () => {
  it.each([
    ['The heron catches the frog', 'The frog catches the heron.', true],
    ['The heron catches the frog', 'The heron catches the frog.', false],
    ['The heron catches the frog', 'The frog is caught by the heron.', false],
    ['The frog is caught by the heron', 'The heron is caught by the frog', true],
    ['Heat flows from the stove to the pan', 'Heat flows from the pan to the stove', true],
    ['Heat flows from the stove to the pan', 'from the stove into the pan', false],
    ['Salt moves from high to low concentration', 'from where the concentration is low to where it is high', true],
    ['Salt and sugar', 'sugar and salt', false],
    ['The treaty came before the war', 'The war came after the treaty', false],
    ['The treaty came before the war', 'The treaty came after the war', true],
    ['Honey is denser than milk.', 'Milk is denser than honey', true],
    ['Honey is denser than milk.', 'Honey is less dense than the milk', true],
    ['Honey is denser than milk.', 'Milk is less dense than honey', false],
    ['Honey is denser than milk.', 'Because the honey is more dense than milk', false],
    ['Honey is denser than milk.', 'The milk is more dense', true],
    ['Land warms up faster than the sea', 'The sea warms up faster than the land.', true],
    ['Land warms up faster than the sea', 'The sea warms faster than the land so air rises', true],
    ['Cold water has a higher density', 'Warm water has a higher density than cold water', true],
    ['Cold water has a higher density', 'Warm water has a lower density than cold water', false],
    ['Land warms up faster than the sea', 'The sea warms more slowly than the land', false],
    ['Land warms up faster than the sea', 'Land warms slower than the sea', true],
    ['Warm air is lighter than cold air', 'cold air is lighter than warm air', true],
    ['A moon is bigger than a comet', 'a comet is smaller than a moon', false],
    ['Plant cells have a wall but animal cells do not', 'Animal cells have a wall but plant cells do not', true],
    ['Plant cells have a wall but animal cells do not', 'animal cells do not have a wall, but plant cells do', false],
    ['Plant cells have a wall but animal cells do not', 'Animals have walls, plants have none', true],
    ['Metals conduct but wood does not', 'Wood does not conduct electricity, and metals do', false],
    ['A lorry needs more time than a bicycle', 'A bicycle needs more time than a lorry', true],
    ['A: hammer, B: anvil', 'A is the anvil and B is the hammer', true],
    ['A: hammer, B: anvil', 'anvil is B, hammer is A', false],
    ['1 crust, 2 mantle, 3 core', '1 core 2 mantle 3 crust', true],
    ['The house has 435 members and the senate 100', 'house: 100, senate: 435', true],
  ])('key “%s”, answer “%s”: exchanged %s', (key, answer, exchanged) => {
    expect(contradictions([key], answer).includes('order')).toBe(exchanged)
  })

  it('counts only against every accepted answer', () => {
    const either = ['The heron catches the frog', 'The frog catches the heron']
    expect(contradictions(either, 'the frog catches the heron')).toEqual([])
    expect(contradictions([], 'the frog catches the heron')).toEqual([])
  })
})

describe('which way something goes, and whether', () => {
  it.each([
    ['The pressure rises', 'the pressure falls', 'opposite'],
    ['The pressure rises', 'the pressure goes down', 'opposite'],
    ['The pressure rises', 'it gets lower', 'opposite'],
    ['The pressure rises', 'the pressure does not fall', undefined],
    ['The pressure rises', 'the pressure increases', undefined],
    ['The pressure rises', 'fewer people came to the market in the winter', undefined],
    ['Pressure rises as volume falls', 'the pressure falls', undefined],
    ['When the pressure rises, the volume falls', 'the volume rises when the pressure falls', undefined],
    ['When the pressure rises, the volume falls', 'the volume rises when the pressure rises', 'order'],
    ['Oil is insoluble in water', 'it is soluble in water', 'negation'],
    ['Oil is insoluble in water', 'it is not soluble', undefined],
    ['The wire has no current', 'the wire has a current', 'negation'],
    ['Yes, it floats.', 'No, it floats.', 'stance'],
    ['Disagree. It happens at any temperature.', 'I agree, it happens.', 'stance'],
    ['True, since it is a metal.', 'Yes, it is a metal', undefined],
    ['No. It sinks.', 'It sinks.', undefined],
    ['It has three layers', 'it has four layers', 'number'],
    ['The nucleus', 'nucleolus', 'name'],
    ['The nucleus', 'the nuclius', undefined],
    ['The pulmonary artery', 'pulmonary vein', 'name'],
  ])('key “%s”, answer “%s”: %s', (key, answer, difference) => {
    expect(contradictions([key], answer)[0]).toBe(difference)
  })
})

it.each([
  [
    'Mitosis: an old skill helps a new one. Meiosis: a new skill spoils an old one.',
    'mitosis = new, meiosis = old',
    false,
  ],
  [
    'Mitosis: an old skill helps a new one. Meiosis: a new skill spoils an old one.',
    'In meiosis recent things, in mitosis earlier ones',
    true,
  ],
  ['Long loans cost less. Short loans cost more.', 'They are about money', false],
])('key “%s”, answer “%s”: says of each what the key says %s', (key, answer, agrees) => {
  expect(agreesInContrast([key], answer)).toBe(agrees)
})

it('does not depend on which of two is looked at first', () => {
  const [one, other] = ['the fox eats the rabbit', 'the rabbit eats the fox'].map((text) => statementOf(text))
  if (one && other) expect(differencesBetween(one, other)).toEqual(differencesBetween(other, one))
})
