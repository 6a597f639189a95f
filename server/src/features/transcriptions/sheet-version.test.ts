import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { extractionFingerprint, questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { describe, expect, it } from 'vitest'
import { judgeChoice } from '../../grader/exact/choices/judge-choice.ts'
import { applyCorrections } from '../../grader/extraction/apply-corrections.ts'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { type SheetOnPaper, withSheetAnswers } from './sheet-answers.ts'

const options = ['wood', 'copper', 'glass', 'cork']
const prompt = ['Which is it?', ...options.map((text, i) => `${'ABCD'[i]}) ${text}`)].join('\n')
const question: Question = {
  ...{ id: 'q1', number: '1', kind: 'choice', prompt, regions: [], version_keys: { B: 'D' } },
  criteria: [{ id: 'q1', text: '', points: 1, expected: 'B', alternatives: [] }],
}
const rubricOf = (part: Partial<Question> = {}): Rubric => ({ questions: [{ ...question, ...part }], problems: [] })
const { version_keys: _, ...unversioned } = question

type Group = SheetOnPaper['groups'][number]
const group = (kind: Group['kind'], id: string, chosen: number | null, flag: Group['flag'] = null): Group => ({
  ...{ kind, id, chosen, flag: chosen === null ? (flag ?? 'none') : null },
  ...{ separation: 0.9, box: { x: 60, y: 100, width: 100, height: 20 } },
})
const sheet = (groups: Group[], part: Partial<SheetOnPaper> = {}): SheetOnPaper => ({
  ...{ page: 1, copy_id: 'a', sheet_page: 1, problem: null, turns: 0, groups, asked: ['q1'] },
  size: { width: 595, height: 842 },
  printed: {
    ...{ layout: 1, format: 'a4', digits: 0, versions: true },
    questions: [{ id: 'q1', number: '1', options }],
  },
  ...part,
})
const version = (chosen: number | null, flag: Group['flag'] = null) => group('version', 'version', chosen, flag)
const filled = (letter: string) => group('question', 'q1', 'ABCD'.indexOf(letter))

function read(sheets: SheetOnPaper[], rubric = rubricOf()) {
  const answers = [{ question_id: 'q1', text: '', found: false, evidence: [], reading: 1 }]
  const [answer] = withSheetAnswers({ answers, warnings: [], name_on_paper: null }, sheets, rubric).answers
  return [answer?.text || answer?.sheet?.flag, answer?.evidence[0]?.quote, answer?.sheet?.version]
}

describe('the version of a paper', () => {
  it('says which key an answer is compared with, and the filled circle stays what is quoted', () => {
    const readAll = (chosen: number) => [...'ABCD'].map((letter) => read([sheet([version(chosen), filled(letter)])])[0])
    expect(readAll(0)).toEqual(['A', 'B', 'C', 'D'])
    // In version A a wrong letter is another option.
    expect(readAll(1)).toEqual(['A (version B)', 'B (version B)', 'C (version B)', 'B'])
    expect(read([sheet([version(1), filled('D')])])).toEqual(['B', 'D (version B)', 'B'])
  })

  it('is told by words where a question has two answers', () => {
    const criteria = question.criteria.map((one) => ({ ...one, expected: 'True' }))
    const truth = rubricOf({ kind: 'true_false', prompt: 'Ice floats.', criteria, version_keys: { B: 'False' } })
    const asked = [{ id: 'q1', number: '1', options: ['True', 'False'], truth: 'TF' as const }]
    const printed = { ...sheet([]).printed, questions: asked }
    const readIn = (chosen: number, place: number) =>
      read([sheet([version(chosen), group('question', 'q1', place)], { printed })], truth).slice(0, 2)
    expect(readIn(1, 1)).toEqual(['True', 'False (version B)'])
    expect(readIn(1, 0)).toEqual(['False', 'True (version B)'])
    expect(readIn(0, 1)).toEqual(['False', 'False (version A)'])
  })

  it('has to be plain, printed, and in the rubric', () => {
    expect(read([sheet([version(null), filled('D')])])).toEqual(['version', '', undefined])
    expect(read([sheet([version(null, 'double'), filled('D')])])).toEqual(['version', '', undefined])
    expect(read([sheet([version(2), filled('D')])])).toEqual(['no_key', '', 'C'])
    const { versions: __, ...printed } = sheet([]).printed
    expect(read([sheet([filled('D')], { printed })])[0]).toBe('no_versions')
    // Twice, and read as two versions.
    const again = sheet([version(0), filled('D')], { page: 2 })
    expect(read([sheet([version(1), filled('D')]), again])[0]).toBe('version')
    expect(read([sheet([version(1), filled('D')]), { ...again, copy_id: 'b' }])[0]).toBe('differs')
  })

  it('is on the first page of the same copy', () => {
    const second = sheet([filled('D')], { page: 2, sheet_page: 2 })
    expect(read([sheet([version(1)], { asked: [] }), second])[0]).toBe('B')
    expect(read([second])[0]).toBe('version')
    expect(read([sheet([version(1)], { asked: [], copy_id: 'b' }), second])[0]).toBe('version')
  })

  it('is not asked for where the rubric has one key', () => {
    const rubric = { questions: [unversioned], problems: [] }
    const { versions: __, ...printed } = sheet([]).printed
    expect(read([sheet([filled('D')], { printed })], rubric)).toEqual(['D', 'D', undefined])
    expect(read([sheet([version(null), filled('D')])], rubric)[0]).toBe('D')
    expect(read([sheet([version(null, 'double'), filled('D')])], rubric)[0]).toBe('version')
    expect(read([sheet([version(1), filled('D')])], rubric)[0]).toBe('no_key')
  })

  it('has no key where more than one option is right, some are worth a part, or the key is no option', () => {
    const readBy = (part: Partial<Question>) => read([sheet([version(1), filled('D')])], rubricOf(part))[0]
    const [criterion] = question.criteria
    if (!criterion) throw new Error('a criterion')
    expect(readBy({ criteria: [{ ...criterion, alternatives: ['C'] }] })).toBe('no_key')
    expect(readBy({ criteria: [{ ...criterion, levels: [{ points: 0.5, text: 'glass' }] }] })).toBe('no_key')
    expect(readBy({ version_keys: { B: 'E' } })).toBe('no_key')
  })
})

describe('an answer in another version', () => {
  it('is none of the answers that have its letter in version A, and is wrong whatever is accepted there', () => {
    const form = normalFormOf(question)
    expect(form('C (version B)')).not.toBe(form('C'))
    expect(form('C (version B)')).not.toBe(form('C (version D)'))
    expect(judgeChoice(prompt, ['B', 'C'], 'C (version B)').share).toBe(0)
    expect(judgeChoice(prompt, ['B', 'C'], 'C').share).toBe(1)
  })

  it('is corrected by the circle that is filled', () => {
    const correct = (text: string, groups: Group[], rubric = rubricOf()) => {
      const answers = [{ question_id: 'q1', text: '', found: false, evidence: [], reading: 1 }]
      const read = withSheetAnswers({ answers, warnings: [], name_on_paper: null }, [sheet(groups)], rubric)
      const [answer] = applyCorrections(read, [{ question_id: 'q1', text }]).answers
      return answer?.unreadable ? 'by hand' : answer?.text
    }
    const doubled = group('question', 'q1', null, 'double')
    expect(correct('D', [version(1), doubled])).toBe('B')
    expect(correct('d (version B)', [version(1), filled('A')])).toBe('B')
    expect(correct('B', [version(1), doubled])).toBe('B (version B)')
    expect(correct('B', [version(0), doubled])).toBe('B')
    expect(correct('D', [version(null), filled('D')])).toBe('by hand')
    expect(correct('D', [version(2), filled('D')])).toBe('by hand')
  })
})

it('leaves keys of a question that has no circles out of account', () => {
  const essay = { ...question, id: 'q2', kind: 'essay' as const }
  const questions = [unversioned, essay]
  const { versions: __, ...printed } = sheet([]).printed
  expect(read([sheet([filled('D')], { printed })], { questions, problems: [] })[0]).toBe('D')
})

it('a key of another version changes what a question is graded and read by; none leaves it as it was', () => {
  const prints = (one: Question) => [
    questionFingerprint(one),
    extractionFingerprint({ questions: [one], problems: [] }),
  ]
  const [graded, read_] = prints(question)
  expect(prints({ ...question, version_keys: { B: 'C' } })).not.toContain(graded)
  expect(prints({ ...question, version_keys: { B: 'C' } })).not.toContain(read_)
  const { prompt: asked } = question
  expect(prints(unversioned)).toEqual([
    JSON.stringify([asked, 'choice', [['q1', '', 1, 'B', [], []]], '']),
    JSON.stringify([['q1', '1', asked, []]]),
  ])
  // What is right in version A decides what a letter of version B becomes.
  const other = { ...question, criteria: question.criteria.map((one) => ({ ...one, expected: 'C' })) }
  expect(prints(other)[1]).not.toBe(read_)
})
