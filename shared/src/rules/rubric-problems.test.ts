import { describe, expect, it } from 'vitest'
import { type Question, Rubric } from '../rubrics.ts'
import {
  generalProblem,
  isOpenProblem,
  openProblems,
  questionProblem,
  unmatchedKeyAnswer,
  withProblems,
  withProblemsAfterEdit,
} from './rubric-problems.ts'

const region = { page: 1, box: { x: 0, y: 0, width: 100, height: 40 } }

function question(number: string, part: Partial<Question> & { points?: number; expected?: string } = {}): Question {
  const { points = 2, expected = 'water', ...rest } = part
  const id = `q${number.replace(/\W/g, '')}`
  const criteria = [{ id, text: 'What is asked', points, expected, alternatives: [] }]
  return { id, number, prompt: 'What is it?', kind: 'text', criteria, regions: [region], ...rest }
}

const told = (questions: Question[], rest: Partial<Rubric> = {}) =>
  withProblems({ questions, ...rest }, []).problems.map(({ code, message }) => `${code}: ${message}`)
const numbered = (...numbers: string[]) => told(numbers.map((number, i) => ({ ...question(number), id: `id${i}` })))

describe('what can be told from a rubric', () => {
  it('finds nothing in one that is whole', () => {
    const rubric = withProblems({ questions: [question('1'), question('2 a'), question('2 b')] }, [])
    expect(rubric.problems).toEqual([])
    expect(Rubric.safeParse(rubric).success).toBe(true)
  })

  it.each([
    [['1', '2', '4'], 'number_missing: Number 3 is missing: question 4 comes after question 2.'],
    [['2', '3'], 'number_missing: Number 1 is missing: the first question is 2.'],
    [['1 a', '1 c', '2'], 'number_missing: Number 1 b is missing: question 1 c comes after question 1 a.'],
    [['1', '2 i', '2 iii'], 'number_missing: Number 2 ii is missing: question 2 iii comes after question 2 i.'],
    [['01.1', '01.3'], 'number_missing: Number 01.2 is missing: question 01.3 comes after question 01.1.'],
    [['1', '2', '2', '3'], 'number_doubled: Two questions have the number 2.'],
  ])('finds that %j does not count on', (numbers, message) => {
    expect(numbered(...numbers)).toEqual([message])
  })

  it.each([
    [['1', '2', '1 (part 2)', '2 (part 2)']],
    [['1 a i', '1 a ii', '1 b', '2']],
    [['i', 'ii', 'iii']],
    [['Essay', 'Drawing']],
    [['1', '2', '30']],
  ])('lets %j be', (numbers) => {
    expect(numbered(...numbers)).toEqual([])
  })

  it('says what is missing in a question, and how many points depend on it', () => {
    const open = question('1', { points: 3, expected: ' ', regions: [] })
    expect(withProblems({ questions: [open] }, []).problems).toMatchObject([
      { code: 'no_answer', question_id: 'q1', message: 'Question 1: there is no expected answer.', points: 3 },
      { code: 'no_region', question_id: 'q1', points: 3 },
    ])
  })

  it('doubts a kind that its answer does not fit', () => {
    expect(told([question('1', { kind: 'number', expected: 'Paris' })])).toEqual([
      'kind_doubtful: Question 1 is judged as a number, but its expected answer has none.',
    ])
    expect(told([question('1', { kind: 'true_false', expected: 'Paris' })])).toHaveLength(1)
    expect(told([question('1', { prompt: 'Sketch the cell.' })])).toHaveLength(1)
    expect(told([question('1', { kind: 'number', expected: 'twelve of them, or ten' })])).toEqual([])
    expect(told([question('1', { kind: 'true_false', expected: '(T)' })])).toEqual([])
  })

  it('lets essays and drawings be known without calling them open', () => {
    const { problems } = withProblems({ questions: [question('1', { kind: 'essay', expected: '' })] }, [])
    expect(problems.map(({ code }) => code)).toEqual(['by_hand'])
    expect(problems.filter(isOpenProblem)).toEqual([])
  })

  it('lets what an LLM remarked be known until its question changes, without calling it open', () => {
    const questions = [question('1'), question('2')]
    const remark = generalProblem('Question 1: the AI changed its prompt.', questions, 'ai_remark')
    const before = withProblems({ questions }, [remark])
    expect(before.problems).toEqual([remark])
    expect(before.problems.filter(isOpenProblem)).toEqual([])
    const edited = (index: number) => questions.with(index, question(`${index + 1}`, { prompt: 'Why?' }))
    expect(withProblemsAfterEdit(before, { ...before, questions: edited(1) }).problems).toEqual([remark])
    expect(withProblemsAfterEdit(before, { ...before, questions: edited(0) }).problems).toEqual([])
  })

  it('keeps a doubt of an answer until the answer is another, whatever it is worth', () => {
    const questions = [question('1'), question('2')]
    const before = withProblems(
      { questions },
      questions.map((one) => questionProblem('answer_unsure', one, ': compare.')),
    )
    const doubts = (part: Parameters<typeof question>[1]) =>
      withProblemsAfterEdit(before, { ...before, questions: questions.with(0, question('1', part)) }).problems.length
    expect([doubts({ points: 5 }), doubts({ kind: 'essay' }), doubts({ expected: 'ice' })]).toEqual([2, 3, 1])
  })

  it('adds up questions, parts and the paper', () => {
    const questions = [question('1 a'), question('1 b'), question('2', { points: 4, printed_points: 5 })]
    const totals = [
      { number: null, points: 10, question_ids: [] },
      { number: '1', points: 5, question_ids: ['q1a', 'q1b'] },
    ]
    expect(told(questions, { printed_totals: totals })).toEqual([
      'points_total: The paper says 10 points, the questions add up to 8.',
      'points_total: Question 1: the paper says 5 points, its parts add up to 4.',
      'question_points: Question 2: the paper says 5 points, its criteria add up to 4.',
    ])
    // Shares of a total are rounded.
    const thirds = ['1', '2', '3'].map((number) => question(number, { points: 3.33 }))
    expect(told(thirds, { printed_totals: [{ number: null, points: 10, question_ids: [] }] })).toEqual([])
  })
})

describe('an edited rubric', () => {
  const questions = [question('1'), question('2', { expected: '' })]
  const remarks = [
    questionProblem('points_guessed', question('1'), ' was given 2 points: no points are printed.'),
    questionProblem('scheme_scaled', question('2'), ' was scaled.'),
    unmatchedKeyAnswer('3'),
    generalProblem('Page 2 was read by OCR.', questions),
    generalProblem('Question 1 was found by the AI.', questions),
  ]
  const before = withProblems({ questions }, remarks)
  const codes = (rubric: Rubric) => rubric.problems.map(({ code }) => code)
  const edit = (index: number, part: Partial<Question>) =>
    withProblemsAfterEdit(before, {
      ...before,
      questions: questions.with(index, { ...question(`${index + 1}`), ...part }),
    })

  it('keeps every problem that is not put right', () => {
    expect(withProblemsAfterEdit(before, { ...before, problems: [] })).toEqual(before)
    expect(codes(before)).toEqual([
      'general',
      'general',
      'points_guessed',
      'scheme_scaled',
      'no_answer',
      'key_unmatched',
    ])
  })

  it('has none the less that were: an answer, points, a question of the missing number', () => {
    expect(codes(edit(1, {}))).not.toContain('no_answer')
    const criteria = question('1', { points: 4 }).criteria
    expect(codes(edit(0, { criteria }))).toEqual(['general', 'scheme_scaled', 'no_answer', 'key_unmatched'])
    expect(codes(edit(0, { notes: 'Be kind.' })).filter((code) => code === 'general')).toHaveLength(1)
    const third = [...questions, question('3')]
    expect(codes(withProblemsAfterEdit(before, { ...before, questions: third }))).not.toContain('key_unmatched')
    expect(codes(withProblemsAfterEdit(before, { ...before, questions: [question('1')] }))).not.toContain(
      'scheme_scaled',
    )
  })

  it('speaks of a question by the number it has now', () => {
    const remarked = edit(0, { ...question('1'), number: '7' }).problems.find(({ code }) => code === 'points_guessed')
    expect(remarked?.message).toBe('Question 7 was given 2 points: no points are printed.')
  })

  it('keeps what a teacher has dismissed dismissed, and opens it again when asked', () => {
    const fine = (code: string) => ({
      ...before,
      problems: before.problems.map((one) => (one.code === code ? { ...one, dismissed: true as const } : one)),
    })
    const dismissed = withProblemsAfterEdit(before, fine('no_answer'))
    expect(codes({ ...dismissed, problems: openProblems(dismissed) })).not.toContain('no_answer')
    expect(withProblemsAfterEdit(dismissed, dismissed)).toEqual(dismissed)
    expect(withProblemsAfterEdit(dismissed, before)).toEqual(before)
  })

  it('opens a total again that is off by another number of points', () => {
    const printed_totals = [{ number: null, points: 10, question_ids: [] }]
    const off = withProblems({ questions, printed_totals }, [])
    const [total] = off.problems
    if (!total) throw new Error('a problem')
    const dismissed = { ...off, problems: [{ ...total, dismissed: true as const }] }
    expect(openProblems(withProblemsAfterEdit(off, dismissed)).map(({ code }) => code)).toEqual(['no_answer'])
    const more = { ...dismissed, questions: [...questions, question('3')] }
    expect(openProblems(withProblemsAfterEdit(off, more)).map(({ code }) => code)).toContain('points_total')
  })
})
