import type { Paper } from '@assay/shared/papers.ts'
import { Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { buildPaper } from '../testing/build-paper.ts'
import { certaintyOf } from './certainty/reading-certainty.ts'
import { generateRubric, readRubric, UNSURE } from './generate-rubric.ts'

/** Without what depends on learned weights. */
const told = ({ problems }: Pick<Rubric, 'problems'>) => problems.filter(({ code }) => !/^answers?_unsure$/.test(code))
const messagesOf = (rubric: Pick<Rubric, 'problems'>) => told(rubric).map(({ message }) => message)

const short = (blank: Paper, key: Paper) => {
  const rubric = generateRubric(blank, key)
  return {
    problems: messagesOf(rubric),
    questions: rubric.questions.map(({ id, kind, criteria }) => ({
      id,
      kind,
      points: criteria.reduce((sum, criterion) => sum + criterion.points, 0),
      expected: criteria.map((criterion) => criterion.expected),
    })),
  }
}

describe('a rubric from a blank and its key', () => {
  it('reads numbers, points, prompts, kinds and answers where the key repeats the questions', () => {
    const print = (...answers: string[]) =>
      buildPaper([
        'Biology quiz 3',
        'Name: ____________  Date: ________',
        '',
        '1. Why do leaves look green? (10 points)',
        answers[0] ?? '',
        '',
        '2. Which planet is nearest to the sun? [5 marks]',
        'A. Venus',
        'B. Mercury',
        'C. Mars',
        answers[1] ?? '',
        '3. True or false: plants breathe. (2 pts)',
        answers[2] ?? '',
        '4. A car drives 120 km in 1.5 h. How fast is it? ___/4',
        answers[3] ?? '',
        'Page 1 of 1',
      ])
    const rubric = generateRubric(
      print(),
      print('Answer: Chlorophyll reflects green light.', 'Ans. B', 'True', 'Solution: 80 km/h'),
    )
    expect(told(rubric)).toEqual([])
    expect(
      rubric.questions.map(({ number, prompt, kind, criteria }) => [
        number,
        prompt,
        kind,
        criteria[0]?.points,
        criteria[0]?.expected,
      ]),
    ).toEqual([
      ['1', 'Why do leaves look green?', 'text', 10, 'Chlorophyll reflects green light.'],
      ['2', 'Which planet is nearest to the sun?\nA. Venus\nB. Mercury\nC. Mars', 'choice', 5, 'B'],
      ['3', 'True or false: plants breathe.', 'true_false', 2, 'True'],
      ['4', 'A car drives 120 km in 1.5 h. How fast is it?', 'number', 4, '80 km/h'],
    ])
    expect(Rubric.safeParse(rubric).success).toBe(true)
    // From below the prompt to the next question.
    const [region] = rubric.questions[0]?.regions ?? []
    expect(region).toMatchObject({ page: 1 })
    expect(region?.box.y).toBeGreaterThan(60 + 3 * 16)
    expect((region?.box.y ?? 0) + (region?.box.height ?? 0)).toBe(60 + 6 * 16)
    const places = rubric.questions.map(({ key_regions: [place] = [] }) => place?.box.y ?? 0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(places).size).toBe(4)
  })

  it('says first where the key answers few of the questions that were found', () => {
    const towns = ['Rome', 'Oslo', 'Bern', 'Paris', 'Athens', 'Riga']
    const blank = buildPaper(towns.map((town, i) => `${i + 1}. What is ${town} known for? (2 points)`))
    const firstProblem = (answers: number) =>
      generateRubric(blank, buildPaper(towns.slice(0, answers).map((_, i) => `${i + 1}. its hills`))).problems[0]
    expect(firstProblem(3)?.message).toBe(
      'The key was found to answer only 3 of these 6 questions, so some may be wrong or missing. Compare their numbers with the paper first.',
    )
    expect(firstProblem(4)?.code).not.toBe('general')
  })

  it('names the answers it is not sure of, and says how many of the others may be wrong', () => {
    const blank = buildPaper([
      '1. Which is a metal? (2 points)',
      'A. sulphur',
      'B. zinc',
      '2. Solve 3x + 5 = 11. (2 points)',
      '3. Name a gas. (2 points)',
    ])
    const key = buildPaper(['1. B', '2. x = 2|| ~ 1. what = of the', '3. argon'])
    const { rubric, facts } = readRubric(blank, key)
    const [metal = 0, garbled = 0, gas = 0] = rubric.questions.map(({ id }) => certaintyOf(facts.get(id) ?? []))
    expect(garbled).toBeLessThan(UNSURE)
    expect(garbled).toBeLessThan(Math.min(metal, gas))
    const named = rubric.problems.flatMap(({ code, question_id }) => (code === 'answer_unsure' ? [question_id] : []))
    const unsure = rubric.questions.filter(({ id }) => certaintyOf(facts.get(id) ?? []) < UNSURE)
    expect(named).toEqual(unsure.map(({ id }) => id))
    expect(rubric.problems.some(({ code }) => code === 'answers_unsure')).toBe(unsure.length < 3)
  })

  it('reads a key whose parts are letters alone, and one whose numbers have three levels', () => {
    const expected = (blank: string[], key: string[]) =>
      short(buildPaper(blank), buildPaper(key)).questions.map((question) => [question.id, ...question.expected])
    const parts = [
      '1. Name the gas.',
      '2. Use 25 g of chalk.',
      '(a) What is its mass?',
      '(b) How many moles?',
      '(c) Why?',
    ]
    expect(expected(parts, ['1 argon', '2 a 25 g', 'b 0.25 mol', 'c it is given'])).toEqual([
      ['q1', 'argon'],
      ['q2a', '25 g'],
      ['q2b', '0.25 mol'],
      ['q2c', 'it is given'],
    ])
    const levels = ['1.1', '1.2', '2.1'].flatMap((task) => [
      `${task} Look at the map.`,
      `${task}.1 Name the river.`,
      `${task}.2 Name the town.`,
    ])
    const answers = ['Rhine', 'Bonn', 'Volga', 'Kazan', 'Seine', 'Rouen']
    const key = answers.map((answer, i) => {
      const task = ['1.1', '1.2', '2.1'][i >> 1]
      return i % 2 === 0 ? `${task} ${task}.1 ${answer}` : `${task}.2 ${answer}`
    })
    expect(expected(levels, key).map(([, answer]) => answer)).toEqual(answers)
  })

  it('reads a key that is a bare list, on one line or on several, and spreads the total', () => {
    const blank = buildPaper([
      'History test',
      'Total: 20 points',
      '1. Who was first?',
      '2. The war ended in 1945. (T/F)',
      '3. Pick one: A) Rome B) Paris',
      '4. What year?',
    ])
    const expected = {
      problems: ['No points are printed for all 4 questions: the paper’s 20 were divided evenly. Set the points.'],
      questions: [
        { id: 'q1', kind: 'text', points: 5, expected: ['Washington'] },
        { id: 'q2', kind: 'true_false', points: 5, expected: ['True'] },
        { id: 'q3', kind: 'choice', points: 5, expected: ['B'] },
        { id: 'q4', kind: 'number', points: 5, expected: ['1939'] },
      ],
    }
    expect(short(blank, buildPaper(['Key', '1. Washington 2. True 3. B 4. 1939']))).toEqual(expected)
    expect(short(blank, buildPaper(['1) Washington', '2) True', '3) B', '4) 1939']))).toEqual(expected)
  })

  it('reads several parts of a question on one line of the key', () => {
    const blank = buildPaper([
      '1. Work out.',
      'a) 1/2 + 1/3 [1]',
      'b) 3/4 − 1/8 [1]',
      '2. Round 3.46 to one place. [1]',
    ])
    const { questions } = short(blank, buildPaper(['Answers', '1a 5/6   1b 5/8', '2 3.5']))
    expect(questions.map(({ expected }) => expected)).toEqual([['5/6'], ['5/8'], ['3.5']])
  })

  it('gives the room beside a question to the column it stands in', () => {
    const line = (text: string, x: number, y: number) => ({ text, box: { x, y, width: 150, height: 12 } })
    const blank = buildPaper([
      line('1. Name a gas. [1]', 50, 60),
      line('2. Name a metal. [1]', 50, 160),
      line('3. Name a planet. [1]', 320, 60),
      line('4. Name a star. [1]', 320, 160),
    ])
    const { questions } = generateRubric(blank, buildPaper(['1. neon', '2. iron', '3. Mars', '4. Sun']))
    const sides = questions.map(({ regions: [region] }) => [
      region?.box.x,
      (region?.box.x ?? 0) + (region?.box.width ?? 0),
    ])
    expect(sides).toEqual([
      [0, 316],
      [0, 316],
      [316, 595],
      [316, 595],
    ])
  })

  it('takes alternatives by “or”, “/” and “also accept”, and leaves “or” in sentences alone', () => {
    const blank = buildPaper([
      '1. Colour? (1 point)',
      '2. Dye? (1 point)',
      '3. State the law. (4 points)',
      '4. Roots? (2 points)',
    ])
    const key = buildPaper([
      '1. Colour? (1 point)',
      'red or scarlet',
      '2. Dye? (1 point)',
      'henna (also accept: madder)',
      '3. State the law. (4 points)',
      'A body stays at rest, or keeps moving in a straight line, unless a force acts on it.',
      'or Velocity changes only when an unbalanced force acts on',
      'the body.',
      '4. Roots? (2 points)',
      'anchor/hold',
    ])
    const criteria = generateRubric(blank, key).questions.map(({ criteria }) => [
      criteria[0]?.expected,
      criteria[0]?.alternatives,
    ])
    expect(criteria).toEqual([
      ['red', ['scarlet']],
      ['henna', ['madder']],
      [
        'A body stays at rest, or keeps moving in a straight line, unless a force acts on it.',
        ['Velocity changes only when an unbalanced force acts on the body.'],
      ],
      ['anchor', ['hold']],
    ])
  })

  it('makes criteria of a mark scheme and says when they do not add up', () => {
    const blank = buildPaper(['1. Why are plants green? (3 points)', '', '2. Why is the sky blue? (6 points)'])
    const key = buildPaper([
      '1. Why are plants green? (3 points)',
      '- mentions chlorophyll (2 points)',
      '- states that green light is reflected (1 point)',
      '2. Why is the sky blue? (6 points)',
      '- scattering (2 marks)',
      '- blue is scattered most (2 marks)',
    ])
    const rubric = generateRubric(blank, key)
    expect(
      rubric.questions.map(({ criteria }) => criteria.map(({ id, points, expected }) => [id, points, expected])),
    ).toEqual([
      [
        ['q1.1', 2, 'chlorophyll'],
        ['q1.2', 1, 'green light is reflected'],
      ],
      [
        ['q2.1', 3, 'scattering'],
        ['q2.2', 3, 'blue is scattered most'],
      ],
    ])
    expect(messagesOf(rubric)).toEqual([
      "Question 2: the key's mark scheme adds up to 4, but the question is worth 6. Its points were scaled to fit.",
    ])
  })

  it('tells parts (a), (b) from options and divides the points of their stem', () => {
    const blank = buildPaper([
      '1. Think of a cell. (10 points)',
      '(a) What is the nucleus?',
      '',
      '',
      '(b) Name two organelles.',
      '',
      '2. Pick one. (2 points)',
      'a) red',
      'b) blue',
    ])
    const key = buildPaper(['1. (a) the control centre', '(b) mitochondria and ribosomes', '2. b'])
    const { questions } = generateRubric(blank, key)
    expect(questions.map(({ id, number, prompt }) => [id, number, prompt])).toEqual([
      ['q1a', '1 a', 'Think of a cell.\nWhat is the nucleus?'],
      ['q1b', '1 b', 'Think of a cell.\nName two organelles.'],
      ['q2', '2', 'Pick one.\na) red\nb) blue'],
    ])
    expect(questions.map(({ kind, criteria }) => [kind, criteria[0]?.points, criteria[0]?.expected])).toEqual([
      ['text', 5, 'the control centre'],
      ['text', 5, 'mitochondria and ribosomes'],
      ['choice', 2, 'b'],
    ])
  })

  it('lets numbered instructions and lists within a question alone', () => {
    const blank = buildPaper([
      'Name:',
      '1. Write clearly.',
      '2. No phones.',
      'Question 1 [5 marks]',
      'List three causes:',
      '1. ____',
      '2. ____',
      'Q2 (2 pts) What is 6 × 7?',
    ])
    const { questions } = generateRubric(blank, buildPaper(['Question 1', 'greed and fear', 'Q2 42']))
    expect(questions.map(({ id, kind, criteria }) => [id, kind, criteria[0]?.points])).toEqual([
      ['q1', 'text', 5],
      ['q2', 'number', 2],
    ])
  })

  it('follows a question over pages and takes points “each” from a heading', () => {
    const blank = buildPaper(
      ['Physics', 'Part I (2 points each)', '1. Define mass.', '', '2. Define force.', 'Page 1 of 2'],
      ['Physics', 'Say what it does to a body.', '3. Define weight.', 'Page 2 of 2'],
    )
    const { questions } = generateRubric(blank, buildPaper(['1. matter', '2. a push', '3. a pull']))
    expect(questions[1]?.prompt).toBe('Define force.\nSay what it does to a body.')
    expect(questions[1]?.regions.map(({ page }) => page)).toEqual([2])
    expect(questions.map(({ criteria }) => criteria[0]?.points)).toEqual([2, 2, 2])
  })

  it('takes a marked option for the answer', () => {
    const options = ['1. Pick one', 'A. red', 'B. blue', 'C. green']
    const key = buildPaper(['1. Pick one', 'A. red', '[x] B. blue', 'C. green'])
    expect(generateRubric(buildPaper(options), key).questions[0]?.criteria[0]?.expected).toBe('B')
  })

  it('takes the questions from the key when the blank cannot be read', () => {
    const key = buildPaper([
      '1. What is mass? (3 points)',
      'Answer: amount of matter',
      '2. What is weight? (3 points)',
      'Answer: a force',
    ])
    expect(short(buildPaper([]), key)).toEqual({
      problems: [
        'No numbered questions were found in the blank, so they were taken from the key.',
        'Question 1: its answer area was not found on the blank.',
        'Question 2: its answer area was not found on the blank.',
      ],
      questions: [
        { id: 'q1', kind: 'text', points: 3, expected: ['amount of matter'] },
        { id: 'q2', kind: 'text', points: 3, expected: ['a force'] },
      ],
    })
  })

  it('says of an answer of the key that no question has its number', () => {
    const blank = buildPaper(['1. What is mass? (3 points)', '2. What is weight? (3 points)'])
    const rubric = generateRubric(blank, buildPaper(['1. matter', '2. a force', '3. a field']))
    expect(told(rubric)).toMatchObject([
      { code: 'key_unmatched', message: 'The key has an answer for 3, which is no question of the blank.' },
    ])
    const steps = buildPaper(['Question 1', '1. take', '2. give', '3. keep', 'Question 2', 'a force'])
    expect(generateRubric(blank, steps).problems.map(({ code }) => code)).not.toContain('key_unmatched')
  })

  it('says what it cannot make out, and never fails', () => {
    expect(short(buildPaper([]), buildPaper([]))).toEqual({
      questions: [],
      problems: ['No text was found in the blank. Add the questions yourself, or upload a readable blank.'],
    })
    const essay = generateRubric(
      buildPaper(['Discuss the causes of the war.']),
      buildPaper(['Discuss the causes of the war.', 'Debt and bread.']),
    )
    expect(essay.questions[0]?.criteria[0]?.expected).toBe('Debt and bread.')
    expect(told(essay)[0]?.message).toMatch(/whole paper is treated as one question/)
    const missing = generateRubric(
      buildPaper(['1. What is mass? (3 points)', '2. What is weight? (3 points)']),
      buildPaper(['1. matter']),
    )
    expect(told(missing)).toMatchObject([
      { code: 'no_answer', question_id: 'q2', message: 'Question 2: there is no expected answer.', points: 3 },
    ])
    const odd = buildPaper([{ text: '９９９. \u202e\u0000💥', hidden: 'tiny' }, '0. ', '(((', '1'.repeat(5000)])
    expect(Rubric.safeParse(generateRubric(odd, odd)).success).toBe(true)
  })
})
