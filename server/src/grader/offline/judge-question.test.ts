import type { Question } from '@assay/shared/rubrics.ts'
import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import { describe, expect, it } from 'vitest'
import { WORKED_ANSWERS, type WorkedAnswers } from '../exact/testing/answer-cases/worked-answers.ts'
import { finalResult } from '../rubric/final-result.ts'
import { questionKind } from '../rubric/question-kind.ts'
import { levelOf, roundToStep, shareForScore } from '../scoring/score-curve.ts'
import { inverseDocumentFrequencies } from '../text/terms.ts'
import { QuestionJudge } from './judge-question.ts'

const criterion = (id: string, expected: string) => ({ id, text: expected, points: 1, expected, alternatives: [] })
const question: Pick<Question, 'prompt' | 'kind' | 'criteria'> = {
  prompt: 'Calculate the time taken.',
  kind: 'number',
  criteria: [criterion('q1.1', 't = 2u/g = 28.0/9.81'), criterion('q1.2', '2.85 s')],
}
const sharesOf = (answer: string, of = question) => {
  const judge = new QuestionJudge(of, [answer], () => 1)
  return of.criteria.map((one) => judge.judge(0, one).share)
}

describe('marks for working', () => {
  it('go with a right result', () => expect(sharesOf('t = 2.85 s')).toEqual([1, 1]))

  it('are given for the working alone, and none for neither', () => {
    const [working = 0, result = 1] = sharesOf('28.0 / 9.81 = 2.58 s')
    expect(working).toBe(1)
    expect(result).toBeLessThan(1)
    expect(sharesOf('12 s')).toEqual([0, 0])
  })

  it('are not given for a result that is to be shown, without a doubt', () => {
    const shown = { ...question, prompt: 'Show that the stone rises to about 10 m.' }
    const judge = new QuestionJudge(shown, ['2.85 s'], () => 1)
    expect(judge.judge(0, question.criteria[0] ?? criterion('', '')).confidence).toBeLessThan(0.6)
  })
})

describe('points for parts of a number', () => {
  it.each([
    [['12', 'm'], '12 cm', [1, 0]],
    [['12', 'm'], '12', [1, 0]],
    [['12', 'm'], '15 metres', [0, 1]],
    [['4', '-4'], '4', [1, 0]],
    [['2 significant figures', '0.40'], '0.4', [0, 0]],
    [['2 significant figures', '0.4'], '0.40', [1, 1]],
    [['correct working', '12', 'm'], '12 m', [1, 1, 1]],
  ])('are given each by itself: of %j “%s” has %j', (keys, answer, shares) => {
    expect(sharesOf(answer, { ...question, criteria: keys.map((key, i) => criterion(`q.${i}`, key)) })).toEqual(shares)
  })
})

describe('several points for one number', () => {
  const calculated = {
    prompt: 'Calculate the mass.',
    kind: 'number' as const,
    criteria: [{ ...criterion('q', '18 g'), points: 3 }],
  }
  const judged = (answer: string) => {
    const judge = new QuestionJudge(calculated, [answer], () => 1)
    return judge.judge(0, calculated.criteria[0] ?? criterion('', ''))
  }

  it('are not all lost, for sure, by a working that ends in another', () => {
    expect(judged('0.5 × 34 = 17 g').share).toBeCloseTo(0.4)
    expect(judged('0.5 × 34 = 17 g').confidence).toBeLessThan(0.6)
    expect(judged('30% / 60% = 5%').confidence).toBeLessThan(0.6)
    expect(judged('17 g')).toMatchObject({ share: 0, confidence: 0.95 })
    expect(judged('0.5 × 36 = 18 g').share).toBe(1)
  })
})

/** Answers without the points a fair marker gives, with what was given. */
function offIn({ prompt, points, answers }: WorkedAnswers): string[] {
  const criteria = points.map((text, i) => criterion(`q.${i + 1}`, text))
  const last = criteria.at(-1) ?? criterion('', '')
  const result = finalResult(prompt, last.expected) ?? last.expected
  const exact = questionKind(prompt, result)
  const kind = exact === 'number' || exact === 'formula' ? exact : 'text'
  if (kind === 'number') last.expected = result
  const judge = new QuestionJudge(
    { prompt, kind, criteria },
    answers.map(([answer]) => answer),
    () => 1,
  )
  return answers.flatMap(([answer, ...earned], i) =>
    earned.flatMap((wanted, at) => {
      const { share, confidence } = judge.judge(i, criteria[at] ?? last)
      return wanted === null || Math.abs(share - wanted) < 0.3
        ? []
        : [`${points[at]} <- ${answer}: ${share} (${confidence})`]
    }),
  )
}

describe('marking points that are formulas or numbers', () => {
  it.each(WORKED_ANSWERS)('are earned by what stands in the working: $prompt', (worked) =>
    expect(offIn(worked)).toEqual([]),
  )
})

const KEY = 'The moon pulls on the water of the oceans, and the earth turns beneath the two bulges.'
const CLASS = [
  'The moon pulls the ocean water towards it, and as the earth turns we pass under the bulges.',
  'Because the gravity of the moon pulls on the oceans.',
  'The moon attracts the water and makes bulges while the earth rotates.',
  'It is the wind.',
  'Big ships push the water.',
  "I don't know",
  'The earth turns under water that the moon has pulled up.',
  'moon moon moon',
]

function judgeAll(
  answers: string[],
  changes: Partial<Question['criteria'][number]> = {},
  kind: Question['kind'] = 'text',
) {
  const criterion = { id: 'q1', text: 'Why are there tides?', points: 10, expected: KEY, alternatives: [], ...changes }
  const question = { prompt: 'Why are there tides?', kind, criteria: [criterion] }
  const judge = new QuestionJudge(
    question,
    answers,
    inverseDocumentFrequencies([[question.prompt, criterion.expected, ...answers]]),
  )
  return answers.map((_, i) => judge.judge(i, criterion))
}

describe('short answers in a class', () => {
  it('are not sure where they are worth three points and more, before the teacher has decided others', () => {
    const criterion = { id: 'q1', text: '', points: 3, expected: 'the pull of the moon', alternatives: [] }
    const answers = ['The pull of the moon', '', ...CLASS]
    const judge = new QuestionJudge(
      { prompt: 'Why are there tides?', kind: 'text', criteria: [criterion] },
      answers,
      () => 1,
    )
    const sure = () => answers.map((_, i) => i).filter((i) => judge.judge(i, criterion).confidence >= SURE_CONFIDENCE)
    expect(sure()).toEqual([1, 7])
    judge.addTeacherDecisions(criterion, [{ index: 5, share: 0 }])
    expect(sure()).toEqual(expect.arrayContaining([0, 1, 5, 7]))
  })

  it('ranks good answers above thin ones above wrong ones', () => {
    const [full, thin, , wind, ships] = judgeAll(CLASS).map(({ share }) => share)
    expect(full).toBeGreaterThan(0.8)
    expect(thin).toBeLessThan(full ?? 0)
    expect(wind).toBeLessThan(thin ?? 0)
    expect(ships).toBeLessThan(thin ?? 0)
    expect(wind).toBeLessThan(0.15)
  })

  it('gives the key in the student’s own order full points, a slip of the pen included', () => {
    const said = ['Beneath the two bulges the earth turns, and the moon pulls on the waterr of the oceans.']
    expect(judgeAll([...CLASS, ...said]).at(-1)?.share).toBeGreaterThan(0.975)
    expect(judgeAll(said)[0]?.share).toBeGreaterThan(0.975)
    expect(judgeAll(['clorophyll'], { expected: 'chlorophyll' })[0]?.share).toBe(1)
    expect(judgeAll(['meiosis'], { expected: 'mitosis' })[0]?.share).toBeLessThan(1)
  })

  it('does not take the key turned round by “not” for the key', () => {
    expect(
      judgeAll(['The moon does not pull on the water'], { expected: 'The moon pulls on the water' })[0]?.remarks,
    ).not.toContain('verbatim')
  })

  it.each(["I don't know", 'no idea', 'N/A', 'idk', 'I do not know.', '?', 'not sure'])(
    'gives “%s” nothing, surely',
    (text) => {
      expect(judgeAll([...CLASS, text]).at(-1)).toMatchObject({ share: 0, remarks: ['dont_know'] })
    },
  )

  it('flags a list of the key’s words and does not let it pass', () => {
    const list = judgeAll([...CLASS, 'moon pulls water oceans earth turns bulges']).at(-1)
    expect(list?.remarks).toContain('keyword_list')
    expect(list?.share).toBeLessThan(0.5)
    expect(list?.confidence).toBeLessThan(0.5)
    expect(judgeAll([...CLASS, 'moon water moon water moon water bulges bulges moon']).at(-1)?.remarks).toContain(
      'keyword_list',
    )
  })

  it('does not take telegraphic answers to short keys for lists', () => {
    expect(judgeAll(['red, blue, yellow'], { expected: 'red, yellow and blue' })[0]?.remarks).not.toContain(
      'keyword_list',
    )
  })

  it('flags the key copied word for word', () => {
    expect(judgeAll([...CLASS, KEY]).at(-1)?.remarks).toContain('copied_key')
    expect(judgeAll(CLASS).flatMap(({ remarks }) => remarks)).not.toContain('copied_key')
  })

  it('takes the best of the accepted answers', () => {
    const [alone] = judgeAll(['Tides come from gravity of sun and moon'])
    const [accepted] = judgeAll(['Tides come from gravity of sun and moon'], {
      alternatives: ['the gravity of sun and moon'],
    })
    expect(accepted?.share).toBeGreaterThan(alone?.share ?? 1)
  })

  it('works for a class of one, two and three, less surely', () => {
    const sure = judgeAll(CLASS)[2]?.confidence ?? 0
    for (const size of [1, 2, 3]) {
      const [first] = judgeAll(CLASS.slice(2, 2 + size))
      expect(first?.share).toBeGreaterThan(0.3)
      expect(first?.confidence).toBeLessThan(sure)
    }
  })

  it('never guesses without a key', () => {
    expect(judgeAll(CLASS, { expected: '' })[0]).toMatchObject({ share: 0, confidence: 0, remarks: ['no_key'] })
  })

  it('is not moved by the order of the class or by empty papers', () => {
    const there = judgeAll([...CLASS, '', '  '])
    const back = judgeAll([...CLASS].reverse()).reverse()
    expect(there.slice(0, CLASS.length).map(({ share }) => share.toFixed(9))).toEqual(
      back.map(({ share }) => share.toFixed(9)),
    )
    expect(there.at(-1)).toMatchObject({ share: 0, remarks: ['empty'] })
  })

  it('names what was said', () => {
    const judged = judgeAll(CLASS)[1]
    expect(judged?.matched).toEqual(expect.arrayContaining(['moon', 'pulls', 'oceans']))
  })

  it.each([
    ['a very long answer', 'tide '.repeat(200_000)],
    ['one endless word', 'a'.repeat(500_000)],
    ['letters of other scripts', '潮汐は月の引力によって起こる。 المد والجزر 💥\u202e\u0000'],
    ['ten thousand different words', Array.from({ length: 10_000 }, (_, i) => `word${i} w${i}x`).join(' ')],
    ['only signs', '!!! ___ ---'],
  ])('survives %s', (_, text) => {
    for (const { share, confidence } of judgeAll([...CLASS, text])) {
      for (const value of [share, confidence]) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }
    }
  })
})

describe('points', () => {
  it('rise with agreement and come in steps a teacher would give', () => {
    const shares = Array.from({ length: 101 }, (_, i) => shareForScore(i / 100))
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect([shares[0], shares[100]]).toEqual([0, 1])
    expect([
      roundToStep(0.48, 10),
      roundToStep(0.48, 2),
      roundToStep(0.48, 1),
      roundToStep(1, 3.3),
      roundToStep(2, 5),
    ]).toEqual([5, 1, 0.5, 3.3, 5])
    expect([1, 0.75, 0.5, 0.2, 0].map(levelOf)).toEqual(['excellent', 'good', 'partial', 'minimal', 'none'])
  })
})

it('leaves to a person what may be circled in the print where no options were made out', () => {
  const criterion = { id: 'q1', text: '', points: 1, expected: 'decreases', alternatives: [] }
  const judged = (prompt: string) =>
    new QuestionJudge({ prompt, kind: 'text', criteria: [criterion] }, ['', 'decreases'], () => 1).judge(0, criterion)
      .remarks
  expect(judged('Circle one answer in each line. The error increases decreases stays')).toEqual(['cannot_judge'])
  expect(judged('Describe the circle of life.')).toEqual(['empty'])
})
