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
): RubricResponseQuestion => ({
  id,
  number: id.slice(1),
  prompt: '',
  kind: 'text',
  ...rest,
})
const criterion = (
  points: number,
  expected: string,
  rest: Partial<RubricResponseQuestion['criteria'][number]> = {},
) => ({
  text: 'The idea',
  points,
  expected,
  alternatives: [],
  levels: [],
  ...rest,
})
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
    expect(of(rubric, 'q2')).toMatchObject({
      kind: 'set',
      criteria: [{ id: 'q2', expected: 'Mars and Venus' }],
    })
    expect(rubric.problems).toEqual(draft.problems)
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

  it('proposes what goes beyond the key instead of accepting it', async () => {
    const wide = read('q2', {
      criteria: [criterion(2, 'Mars and Venus', { alternatives: ['Jupiter', 'Earth'] })],
    })
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
    expect(messagesOf(rubric)).not.toMatch(/treated as one question/)
  })

  it('removes a problem that the LLM solved', async () => {
    const open: Rubric = {
      questions: draft.questions.map((question) =>
        question.id === 'q2'
          ? {
              ...question,
              criteria: question.criteria.map((one) => ({ ...one, expected: '', alternatives: [] })),
            }
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
