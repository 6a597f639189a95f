import type { Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { LlmError } from '../../llm/errors/llm-error.ts'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper } from '../../testing/build-paper.ts'
import { scriptedLlm } from '../testing/scripted-llm.ts'
import { completeRubric } from './complete-rubric.ts'
import type { RubricResponseQuestion } from './rubric-prompt.ts'

const blank = buildPaper(['1. Why are there tides? (4 points)', '', '', '2. Name two planets. (2 points)', '', ''])
const key = buildPaper([
  '1. Why are there tides? (4 points)',
  'The moon pulls on the water.',
  '',
  '2. Name two planets. (2 points)',
  'Mars and Venus, or Earth',
])
const draft = generateRubric(blank, key)

const messagesOf = ({ problems }: Rubric) => problems.map(({ message }) => message).join('\n')

const read = (
  id: string,
  rest: Partial<RubricResponseQuestion> & { criteria: RubricResponseQuestion['criteria'] },
): RubricResponseQuestion => ({ id, number: id.slice(1), prompt: '', kind: 'text', points_as_printed: '', ...rest })
const criterion = (
  points: number,
  expected: string,
  rest: Partial<RubricResponseQuestion['criteria'][number]> = {},
) => ({ text: 'The idea', points, expected, alternatives: [], levels: [], ...rest })
const tides = read('q1', { criteria: [criterion(4, 'The moon pulls on the water.')] })
const planets = read('q2', { criteria: [criterion(2, 'Mars and Venus')], kind: 'set' })

async function complete(
  questions: RubricResponseQuestion[],
  from: Rubric = draft,
  papers = [blank, key],
): Promise<Rubric> {
  const [b = blank, k = key] = papers
  return completeRubric(scriptedLlm(() => ({ questions })).llm, from, b, k)
}
const of = (rubric: Rubric, id: string) => rubric.questions.find((question) => question.id === id)

describe('a rubric completed by an LLM', () => {
  it('uses kinds, criteria and levels that the papers confirm', async () => {
    const parts = read('q1', {
      criteria: [
        criterion(3, 'The moon pulls', {
          levels: [
            { points: 1, text: 'Some pull' },
            { points: 3, text: 'The moon’s' },
          ],
        }),
        criterion(1, 'the water', { text: 'What is pulled' }),
      ],
    })
    const rubric = await complete([parts, planets])
    expect(of(rubric, 'q1')?.criteria).toMatchObject([
      { id: 'q1.1', points: 3, expected: 'The moon pulls', levels: [{ points: 3 }, { points: 1 }] },
      { id: 'q1.2', points: 1, text: 'What is pulled' },
    ])
    expect(of(rubric, 'q2')).toMatchObject({ kind: 'set', criteria: [{ id: 'q2', expected: 'Mars and Venus' }] })
    const told = ({ problems }: Rubric) => problems.filter(({ code }) => code !== 'answers_unsure')
    expect(told(rubric)).toEqual(told(draft).filter(({ code }) => code !== 'answer_unsure'))
    expect(of(rubric, 'q1')?.regions).toEqual(of(draft, 'q1')?.regions)
  })

  it.each([
    [
      'points that do not add up',
      read('q1', { criteria: [criterion(5, 'The moon pulls')] }),
      /add up to 5 instead of 4/,
    ],
    [
      'words the key does not have',
      read('q1', { criteria: [criterion(4, 'Gravity of sun and moon')] }),
      /not in the key/,
    ],
    ['no answer where the key has one', read('q1', { criteria: [criterion(4, '')] }), /left out/],
    ['no criteria', read('q1', { criteria: [] }), /no points/],
    ['points below nought', read('q1', { criteria: [criterion(-1, 'moon'), criterion(5, 'moon')] }), /no points/],
  ])('keeps the rules’ question for %s, and says so', async (_, broken, says) => {
    const rubric = await complete([broken, planets])
    expect(of(rubric, 'q1')).toEqual(of(draft, 'q1'))
    expect(messagesOf(rubric)).toMatch(says)
  })

  it('takes what the AI read in handwriting of the key that could not be read, to be compared', async () => {
    const written = buildPaper([
      '1. Why are there tides? (4 points)',
      { text: 'lhe m0n pjls', source: 'ocr', confidence: 0.3 },
      '2. Name two planets. (2 points)',
      'Mars and Venus, or Earth',
    ])
    const unread = generateRubric(blank, written)
    expect(of(unread, 'q1')?.criteria[0]?.expected).toBe('')
    const rubric = await complete([tides, planets], unread, [blank, written])
    expect(of(rubric, 'q1')?.criteria[0]?.expected).toBe('The moon pulls on the water.')
    expect(rubric.problems).toMatchObject([{ code: 'answer_unsure', question_id: 'q1' }])
  })

  const printed = buildPaper([
    '1. Why are there tides? (4 points)',
    '',
    '2. Name two planets. [3 marks]',
    '',
    '3. Where is the sun?',
  ])
  const misread: Rubric = {
    ...draft,
    questions: draft.questions.map((question) => (question.id === 'q2' ? { ...question, number: '7' } : question)),
  }

  it('corrects number, prompt and points where the papers print them, and says so', async () => {
    const fixed = read('q2', {
      number: '2',
      prompt: 'Name two planets.',
      points_as_printed: '[3 marks]',
      criteria: [criterion(3, 'Mars and Venus')],
    })
    const rubric = await complete([tides, fixed], misread, [printed, key])
    expect(of(rubric, 'q2')).toMatchObject({ number: '2', printed_points: 3, criteria: [{ points: 3 }] })
    expect(messagesOf(rubric)).toMatch(
      /Question 2: the AI changed its number, which was 7 and its points, which were 2/,
    )
  })

  it.each([
    [
      'points that are printed nowhere',
      { points_as_printed: '[5 marks]', criteria: [criterion(5, 'Mars')] },
      /5 instead/,
    ],
    ['points it does not quote', { points_as_printed: '', criteria: [criterion(3, 'Mars')] }, /3 instead/],
  ])('does not take %s', async (_, broken, says) => {
    const rubric = await complete([tides, read('q2', broken)], misread, [printed, key])
    expect(of(rubric, 'q2')?.criteria[0]?.points).toBe(2)
    expect(messagesOf(rubric)).toMatch(says)
  })

  it('leaves points that add up to the printed total', async () => {
    const total: Rubric = { ...misread, printed_totals: [{ number: null, points: 6, question_ids: [] }] }
    const fixed = read('q2', { points_as_printed: '[3 marks]', criteria: [criterion(3, 'Mars and Venus')] })
    expect(of(await complete([tides, fixed], total, [printed, key]), 'q2')?.criteria[0]?.points).toBe(2)
  })

  it('does not take a number that is printed nowhere, or is another question’s', async () => {
    for (const number of ['1', '93']) {
      const rubric = await complete([tides, read('q2', { ...planets, number })], misread, [printed, key])
      expect(of(rubric, 'q2')?.number).toBe('7')
    }
  })

  it('takes a prompt that says more, not one that says less', async () => {
    const short: Rubric = {
      ...draft,
      questions: draft.questions.map((question) => (question.id === 'q2' ? { ...question, prompt: 'Name' } : question)),
    }
    const said = (prompt: string) => [tides, read('q2', { ...planets, prompt })]
    expect(of(await complete(said('Name two planets.'), short), 'q2')?.prompt).toBe('Name two planets.')
    expect(of(await complete(said('Name two comets.'), short), 'q2')?.prompt).toBe('Name')
    expect(of(await complete(said('two planets'), draft), 'q2')?.prompt).toBe(of(draft, 'q2')?.prompt)
  })

  it('shows the LLM the pages as they look', async () => {
    const script = scriptedLlm(() => ({ questions: [tides, planets] }))
    const picture = { bytes: new Uint8Array([1]), media_type: 'image/jpeg' as const }
    const pictures = async () => [{ title: 'Page 1 of the key', picture }]
    await completeRubric(script.llm, draft, blank, key, { pictures })
    expect(script.requests[0]?.parts.slice(-2)).toEqual([{ text: 'Page 1 of the key:' }, { picture }])
  })

  it('proposes what goes beyond the key instead of accepting it', async () => {
    const wide = read('q2', { criteria: [criterion(2, 'Mars and Venus', { alternatives: ['Jupiter', 'Earth'] })] })
    const rubric = await complete([tides, wide])
    expect(of(rubric, 'q2')?.criteria[0]?.alternatives).toContain('Earth')
    expect(of(rubric, 'q2')?.criteria[0]?.alternatives).not.toContain('Jupiter')
    expect(messagesOf(rubric)).toContain('“Jupiter”')
  })

  it('keeps a question the LLM did not find, in its place', async () => {
    const rubric = await complete([planets])
    expect(rubric.questions.map(({ id }) => id)).toEqual(['q1', 'q2'])
    expect(messagesOf(rubric)).toContain('Question 1: the AI did not see it')
  })

  it('asks the teacher only about what grades and may be wrong; the rest is to be known', async () => {
    const remarks = async (rubric: Promise<Rubric>) =>
      (await rubric).problems.flatMap((one) => (one.code === 'general' || one.code === 'ai_remark' ? [one.code] : []))
    const renumbered = read('q2', { ...planets, number: '2' })
    expect(await remarks(complete([tides, renumbered], misread, [printed, key]))).toEqual(['ai_remark'])
    const worthMore = read('q2', { points_as_printed: '[3 marks]', criteria: [criterion(3, 'Mars and Venus')] })
    expect(await remarks(complete([tides, worthMore], misread, [printed, key]))).toEqual(['general'])
    const other = read('q2', { criteria: [criterion(2, 'the water')] })
    expect(await remarks(complete([tides, other]))).toEqual(['general'])
    const notUsed = read('q1', { criteria: [criterion(4, 'Gravity of sun and moon')] })
    const wide = read('q2', { criteria: [criterion(2, 'Mars and Venus', { alternatives: ['Jupiter'] })] })
    expect(await remarks(complete([notUsed, wide]))).toEqual(['ai_remark', 'ai_remark'])
    // Without an answer in the key or from the LLM it may be no question at all.
    const unanswered: Rubric = {
      ...draft,
      questions: draft.questions.map((question) => ({
        ...question,
        criteria: question.criteria.map((one) => ({ ...one, expected: '', alternatives: [] })),
      })),
    }
    expect(await remarks(complete([planets]))).toEqual(['ai_remark'])
    expect(await remarks(complete([planets], unanswered))).toEqual(['general'])
  })

  it('separates questions that the rules took for one, if the blank prints them', async () => {
    const plain = buildPaper(['Why are there tides', '', '', 'Name two planets', ''])
    const bare = buildPaper(['The moon pulls on the water.', 'Mars and Venus'])
    const one = generateRubric(plain, bare)
    expect(one.questions).toHaveLength(1)
    const found = (number: string, prompt: string, expected: string) =>
      read('', { number, prompt, criteria: [criterion(2, expected)] })
    const rubric = await complete(
      [
        found('i', 'Why are there tides', 'The moon'),
        found('ii', 'Name two planets', 'Mars'),
        found('iii', 'Invent a quark', 'x'),
      ],
      one,
      [plain, bare],
    )
    expect(rubric.questions.map(({ id, prompt }) => [id, prompt])).toEqual([
      ['qi', 'Why are there tides'],
      ['qii', 'Name two planets'],
    ])
    expect(messagesOf(rubric)).toMatch(/Question i was found by the AI/)
    const [first, second] = rubric.questions.map(({ regions }) => regions)
    expect(first).toMatchObject([{ page: 1 }])
    expect(second).toMatchObject([{ page: 1 }])
    const bottom = (first?.[0]?.box.y ?? 0) + (first?.[0]?.box.height ?? 0)
    expect(bottom).toBeLessThan(second?.[0]?.box.y ?? 0)
    expect(messagesOf(rubric)).not.toMatch(/treated as one question/)
  })

  it('removes a problem that the LLM solved', async () => {
    const open: Rubric = {
      questions: draft.questions.map((question) =>
        question.id === 'q2'
          ? { ...question, criteria: question.criteria.map((one) => ({ ...one, expected: '', alternatives: [] })) }
          : question,
      ),
      problems: [{ id: 'no_answer/q2', code: 'no_answer', question_id: 'q2', message: 'Question 2: none', points: 2 }],
    }
    const rubric = await complete([tides, planets], open)
    expect(of(rubric, 'q2')?.criteria[0]?.expected).toBe('Mars and Venus')
    expect(rubric.problems).toEqual([])
  })

  it('keeps the rules’ rubric after an unusable response, and throws other errors', async () => {
    const failing = (code: 'bad_answer' | 'overloaded') =>
      completeRubric(
        scriptedLlm(() => {
          throw new LlmError(code, 'It did not work.')
        }).llm,
        draft,
        blank,
        key,
      )
    expect(await failing('bad_answer')).toEqual({
      ...draft,
      problems: [...draft.problems, expect.objectContaining({ message: expect.stringContaining('It did not work.') })],
    })
    await expect(failing('overloaded')).rejects.toMatchObject({ code: 'overloaded' })
  })
})
