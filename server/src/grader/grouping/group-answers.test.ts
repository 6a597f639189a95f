import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { type AnswerToGroup, groupAnswers } from './group-answers.ts'

const question = (kind: QuestionKind, prompt: string, expected: string): Question => ({
  id: 'q1',
  number: '1',
  prompt,
  kind,
  regions: [],
  criteria: [{ id: 'q1', text: '', points: 2, expected, alternatives: [] }],
})
const answersOf = (texts: string[], share = 0.5): AnswerToGroup[] =>
  texts.map((text, i) => ({ id: i + 1, text, state: 'read', share }))
const textsOf = (asked: Question, texts: string[]) =>
  groupAnswers(answersOf(texts), asked).map(({ variants }) => variants.map(({ ids }) => ids))

const membrane = question(
  'text',
  'What does a cell membrane do?',
  'It controls what enters and leaves the cell because it is partially permeable.',
)

it('puts together what says the same but for case, punctuation, articles and endings', () => {
  const [same, ...others] = groupAnswers(
    answersOf(['It controls what enters the cell.', 'controls what enters cell', 'Controlling what enters the cell!']),
    membrane,
  )
  expect(others).toEqual([])
  expect(same).toMatchObject({ kind: 'same', size: 3, variants: [{ ids: [1, 2, 3] }] })
})

it.each([
  ['order', 'number', 'The fox eats the rabbit', 'The rabbit eats the fox'],
  ['negation', 'text', 'It lets water in', 'It does not let water in'],
  ['a number', 'text', 'It has 3 layers', 'It has 4 layers'],
  ['a sign', 'text', 'It is -5 inside', 'It is 5 inside'],
  ['a power', 'text', 'about 10² of them', 'about 102 of them'],
  ['the brackets of an interval', 'formula', '[-2, 6)', '(-2, 6)'],
  ['leading noughts', 'number', '00101101', '101101'],
  ['the working', 'formula', '3x = 18; x = 6', '6'],
  ['more and less', 'text', 'more water goes in', 'less water goes in'],
  ['before and after', 'text', 'before it divides', 'after it divides'],
])('keeps apart what differs in %s', (_what, kind, one, other) => {
  const forms = groupAnswers(answersOf([one, other]), { ...membrane, kind: kind as QuestionKind })
  expect(forms.flatMap(({ variants }) => variants)).toHaveLength(2)
})

it('compares numbers by value and unit', () => {
  const speed = question('number', 'How long is the track? Give the unit.', '2 km')
  expect(
    textsOf(speed, ['2 km', '2000 m', '2,000 m', '= 2.0 km', '2', '-2 km', 'not 2 km', 'about 2 km', '2 km/h']),
  ).toEqual([[[1, 2, 3, 4]], [[5]], [[6]], [[7]], [[8]], [[9]]])
})

it('tells forms of a number apart where the question asks for one', () => {
  const fraction = question('number', 'Write 0.5 as a fraction.', '1/2')
  expect(textsOf(fraction, ['1/2', '0.5', '½'])).toEqual([[[1, 3]], [[2]]])
})

it('compares lists as sets, and those in order by their order', () => {
  const gases = question('set', 'Name the two gases.', 'oxygen, nitrogen')
  expect(textsOf(gases, ['oxygen and nitrogen', 'Nitrogen, Oxygen', 'oxygen'])).toEqual([[[1, 2]], [[3]]])
  const order = question('ordered_list', 'Put in order.', 'oxygen, nitrogen')
  expect(textsOf(order, ['oxygen, nitrogen', 'nitrogen, oxygen', 'Oxygen; nitrogen'])).toEqual([[[1, 3]], [[2]]])
})

it('compares formulas by their values, and by their form where that is asked for', () => {
  const energy = question('formula', 'What is the energy?', 'E = mc^2')
  expect(textsOf(energy, ['E = mc²', 'mc^2 = E', 'E = m·c·c', 'E = mc'])).toEqual([[[1, 2, 3]], [[4]]])
  const expand = question('formula', 'Expand (x + 1)².', 'x^2 + 2x + 1')
  expect(textsOf(expand, ['(x + 1)^2', 'x² + 2x + 1'])).toEqual([[[1]], [[2]]])
})

it('compares choices by what they choose', () => {
  const planet = question('choice', 'Which is nearest?\nA Venus\nB Mars\nC Jupiter', 'A')
  expect(textsOf(planet, ['A', 'a)', 'Venus', 'B', 'not A', 'A because it is bright'])[0]).toEqual([[1, 2, 3]])
})

it('tells cased symbols apart where the key has them', () => {
  const genotype = question('text', 'Give the genotype.', 'Bb')
  expect(textsOf(genotype, ['Bb', 'bb', 'Bb.'])).toEqual([[[1, 3]], [[2]]])
})

it('puts what is nearly the same in other words together, and orders groups by what they are expected to earn', () => {
  const texts = [
    'controls what enters and leaves the cell',
    'it controls the things that enter and leave a cell',
    'controls what goes in and out, what enters and leaves the cell',
    'it makes energy for the cell in the mitochondria',
  ]
  const answers = answersOf(texts).map((answer) => ({ ...answer, share: answer.id < 4 ? 0.9 : 0.1 }))
  const groups = groupAnswers(answers, membrane)
  expect(groups.map(({ kind, size }) => [kind, size])).toEqual([
    ['similar', 3],
    ['single', 1],
  ])
})

it.each([
  ['direction', 'from high to low concentration through it', 'from low to high concentration through it'],
  ['labels', 'A is the wall and B is the nucleus of it', 'A is the nucleus and B is the wall of it'],
  ['roles', 'the wall surrounds and protects the membrane', 'the membrane surrounds and protects the wall'],
  ['a number in words', 'it has two layers of molecules', 'it has three layers of molecules'],
])('never puts together opposites in %s, however many like answers lie between', (_what, one, other) => {
  const texts = [one, `${one} I think`, other, `${other} I think`, `well, ${one}`, `well, ${other}`]
  const groups = groupAnswers(answersOf(texts), { ...membrane, prompt: 'Say what A and B do.' })
  const groupOf = (id: number) => groups.findIndex(({ variants }) => variants.some(({ ids }) => ids.includes(id)))
  for (const id of [1, 2, 5]) for (const opposite of [3, 4, 6]) expect(groupOf(id)).not.toBe(groupOf(opposite))
})

it('keeps apart what could not be read, at the start, and what is empty or not found, at the end', () => {
  const answers: AnswerToGroup[] = [
    { id: 1, text: '', state: 'empty', share: 0 },
    { id: 2, text: '', state: 'not_found', share: null },
    { id: 3, text: 'x~', state: 'unreadable', share: null },
    { id: 4, text: 'controls what enters', state: 'read', share: 0 },
    { id: 5, text: '', state: 'empty', share: 0 },
  ]
  expect(groupAnswers(answers, membrane).map(({ kind, size, share }) => [kind, size, share])).toEqual([
    ['unreadable', 1, null],
    ['single', 1, 0],
    ['empty', 2, 0],
    ['not_found', 1, null],
  ])
})

it('gives the same groups in whatever order answers come, with ids that later answers leave alone', () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `part ${i % 7} controls what ${['enters', 'leaves', 'stays'][i % 3]}`,
  )
  const answers = answersOf(texts)
  const groups = groupAnswers(answers, membrane)
  expect(groupAnswers(answers.toReversed(), membrane)).toEqual(groups)
  const more = groupAnswers([...answers, { id: 99, text: texts[0] ?? '', state: 'read', share: 0.5 }], membrane)
  expect(more.map(({ id }) => id).sort()).toEqual(groups.map(({ id }) => id).sort())
})

it('puts every answer in one group, of thousands too', () => {
  const words = 'cell water salt wall enters leaves moves stops opens closes inside outside energy light heat'.split(
    ' ',
  )
  const word = (i: number, k: number) => words[(i * (k + 3) + ((i * i) >> k)) % words.length]
  const texts = Array.from(
    { length: 3000 },
    (_, i) => `${i % 3} ${[0, 1, 2, 3, 4, 5].map((k) => word(i, k)).join(' ')} ${i % 501}`,
  )
  const groups = groupAnswers(answersOf(texts), membrane)
  const ids = groups.flatMap(({ variants }) => variants.flatMap((variant) => variant.ids))
  expect(ids).toHaveLength(3000)
  expect(new Set(ids).size).toBe(3000)
})
