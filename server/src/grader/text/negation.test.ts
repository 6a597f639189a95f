import { describe, expect, it } from 'vitest'
import { isNegated } from './terms.ts'

describe('negation', () => {
  it.each([
    'The bulb does not light.',
    "It doesn't light",
    'It no longer lights.',
    'It lights without a battery.',
    'Neither bulb lights.',
    'Neither A nor B lights.',
    'It is false that it lights.',
    'The path is closed, but the bulb never lights.',
    'Nothing happens.',
  ])('“%s” says that something is not so', (text) => {
    expect(isNegated(text)).toBe(true)
  })

  it.each([
    'The bulb lights.',
    'It is not impossible.',
    'It is not only bright',
    'No doubt it lights.',
    'It lights whether or not the switch is open',
    'It is not true that it never lights',
    'It knotted the notebook',
    '',
  ])('“%s” does not', (text) => {
    expect(isNegated(text)).toBe(false)
  })
})
