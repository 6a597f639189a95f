import { KeyedVersion, type Question, type Rubric } from '@assay/shared/rubrics.ts'
import { answerLabelsOf, hasCircles } from '@assay/shared/rules/sheet-options.ts'

/** The other versions' right answers, by question; '' where nobody has said. */
export type VersionKeys = Record<string, Partial<Record<KeyedVersion, string>>>

export const versionedQuestions = ({ questions }: Rubric): { question: Question; labels: string[] }[] =>
  questions.filter(hasCircles).map((question) => ({ question, labels: answerLabelsOf(question) }))

export const versionKeysOf = ({ questions }: Rubric): VersionKeys =>
  Object.fromEntries(questions.map(({ id, version_keys = {} }) => [id, version_keys]))

export const versionsIn = (keys: VersionKeys): KeyedVersion[] =>
  KeyedVersion.options.filter((version) => Object.values(keys).some((own) => own[version]))

export function withVersionKeys(rubric: Rubric, keys: VersionKeys, versions: readonly KeyedVersion[]): Rubric {
  const asked = new Set(versionedQuestions(rubric).map(({ question }) => question.id))
  const questions = rubric.questions.map(({ version_keys: _, ...question }) => {
    const own = Object.fromEntries(
      versions.flatMap((version) => {
        const key = keys[question.id]?.[version]
        return key && asked.has(question.id) ? [[version, key]] : []
      }),
    )
    return Object.keys(own).length > 0 ? { ...question, version_keys: own } : question
  })
  return { ...rubric, questions }
}
