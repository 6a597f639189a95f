import { describe, expect, it } from 'vitest'
import type { Question } from '../rubrics.ts'
import { criterionLabels, labelTag } from './criterion-labels.ts'

const stem = 'A ball is thrown from a tower 45 m high.'

function question(number: string, prompt: string, texts = [prompt.replaceAll('\n', ' ').slice(0, 60)]): Question {
  const id = `q${number.replace(' ', '')}`
  const criteria = texts.map((text, i) => ({ id: `${id}.${i}`, text, points: 1, expected: '', alternatives: [] }))
  return { id, number, prompt, kind: 'text', criteria, regions: [] }
}

const labelsOf = (...questions: Question[]) => [...criterionLabels(questions).values()]

describe('the label of a criterion', () => {
  it('is the part’s own words, without the stem it shares with its neighbours', () => {
    const labels = labelsOf(
      question('1 a', `${stem}\nHow long does it fall?`),
      question('1 b', `${stem}\nHow fast is it then?`),
      question('2', 'Name two forces.'),
    )
    expect(labels.map(({ number, title }) => [number, title])).toEqual([
      ['1 a', 'How long does it fall?'],
      ['1 b', 'How fast is it then?'],
      ['2', 'Name two forces.'],
    ])
  })

  it('shows a long prompt whole, and without the options to choose from', () => {
    const long = `Explain ${'in your own words '.repeat(8)}why ice floats.`
    expect(labelsOf(question('1', `${long}\nA) It is cold\nB) It is light`))[0]?.title).toBe(long)
  })

  it('is what a teacher wrote, where it is not from the prompt', () => {
    expect(labelsOf(question('1', 'Why does ice float?', ['Density']))[0]?.title).toBe('Density')
  })

  it('has a letter where a question has several criteria, and the question’s words', () => {
    const labels = labelsOf(question('2', 'What is an acid?', ['gives protons', 'dissolved']), question('3', 'Why?'))
    expect(labels.map(labelTag)).toEqual(['2 a', '2 b', '3'])
    expect(labels[1]).toEqual({ number: '2', letter: 'b', title: 'dissolved', question: 'What is an acid?' })
  })

  it('counts the criteria of a part that has a letter itself', () => {
    expect(labelsOf(question('3 b', 'Why?', ['first', 'second'])).map(labelTag)).toEqual(['3 b.1', '3 b.2'])
  })

  it('keeps the words of questions that ask the same', () => {
    expect(labelsOf(question('1', 'Solve.'), question('2', 'Solve.')).map(({ title }) => title)).toEqual([
      'Solve.',
      'Solve.',
    ])
  })
})
