import { describe, expect, it } from 'vitest'
import { scanLabels } from './question-labels.ts'

describe('the labels a line could start with', () => {
  it.each([
    ['3. Define erosion.', ['3'], 'Define erosion.'],
    ['Q2 a Why had she come?', ['2', 'a'], 'Why had she come?'],
    ['0 1 . 2 Calculate the acceleration.', ['1', '2'], 'Calculate the acceleration.'],
    ['01.2 (see the graph)', ['1', '2'], '(see the graph)'],
    ['2(b)(ii) a = F/m', ['2', 'b', 'ii'], 'a = F/m'],
    ['Question 1 part b: abrasion', ['1', 'b'], 'abrasion'],
    ['Question 4 (continued): and so', ['4'], 'and so'],
    ['(iv) the total', ['iv'], 'the total'],
    ['T F 7. Granite is igneous.', ['7'], 'Granite is igneous.'],
    ['Q1 ¢) Because it is hard', ['1', 'c'], 'Because it is hard'],
    ['1 © The water falls', ['1', 'c'], 'The water falls'],
    ['10 25.0 cm³ of acid', ['10'], '25.0 cm³ of acid'],
    ['7. -3', ['7'], '-3'],
    ['7) –3 °C', ['7'], '–3 °C'],
    ['7. - 3', ['7'], '- 3'],
    ['5 -2', ['5'], '-2'],
    ['2 - heat', ['2'], 'heat'],
    ['2b - heat', ['2', 'b'], 'heat'],
    ['3a(i). 12', ['3', 'a', 'i'], '12'],
  ])('of “%s” are %j', (text, values, rest) => {
    const { labels } = scanLabels(text)
    expect(labels.map(({ value }) => value)).toEqual(values)
    expect(text.slice(labels.at(-1)?.end)).toBe(rest)
  })

  it.each(['3x² + 1', '5% of all', '1,000 people', 'the answer', '12:30'])('are none in “%s”', (text) => {
    expect(scanLabels(text).labels).toEqual([])
  })
})
