import { type PaperVersion, paperVersions, type Question, type Rubric } from '@assay/shared/rubrics.ts'
import { bareText } from '@assay/shared/rules/choice-options.ts'
import { answerLabelsOf } from '@assay/shared/rules/sheet-options.ts'
import { judgeChoice } from '../../grader/exact/choices/judge-choice.ts'
import { judgeTrueFalse } from '../../grader/exact/choices/judge-true-false.ts'
import { acceptedAnswers } from '../../grader/text/accepted-answers.ts'
import type { PrintedSheetDoc } from '../../records/assignments/print.model.ts'
import type { StoredSheetPage } from '../../records/submissions/reading.model.ts'

/** A page of a paper that is an answer sheet. */
interface SheetOfVersion extends Pick<StoredSheetPage, 'copy_id' | 'groups'> {
  printed: Pick<PrintedSheetDoc, 'versions'>
}

/** The version of the paper that a sheet is of. Null: it is graded as the only one. */
export interface VersionOnSheet {
  version: PaperVersion | null
  /** Why it is not known, where it has to be. */
  flag: 'version' | 'no_versions' | null
}

export const hasVersions = ({ questions }: Rubric): boolean => questions.some(({ version_keys }) => version_keys)

/** By the circles on the first page of the same copy. `needed`: the rubric has keys of other versions. */
export function versionOnSheet(
  { copy_id, printed }: SheetOfVersion,
  sheets: readonly SheetOfVersion[],
  needed: boolean,
): VersionOnSheet {
  if (!printed.versions) return { version: null, flag: needed ? 'no_versions' : null }
  const groups = sheets
    .filter((one) => one.copy_id === copy_id)
    .flatMap((one) => one.groups.filter(({ kind }) => kind === 'version'))
  const chosen = [...new Set(groups.map((group) => group.chosen))]
  const version = chosen.length === 1 ? paperVersions[chosen[0] ?? -1] : undefined
  if (version) return { version, flag: null }
  // Where nothing else than A can have been meant, nobody need have filled it in.
  return { version: null, flag: needed || chosen.length > 1 || groups.some(isDoubtful) ? 'version' : null }
}

const isDoubtful = ({ flag }: StoredSheetPage['groups'][number]) => flag !== null && flag !== 'none'

/**
 * A circle's place as version A has it: the right one of a version changes places with that of A, so that right stays right, wrong wrong,
 * and different answers different. Null: the rubric has no key for it, or none that is one circle.
 */
export function placeInVersionA(question: Question, chosen: number, version: PaperVersion | null): number | null {
  if (version === null || version === 'A') return chosen
  const labels = answerLabelsOf(question)
  const key = bareText(question.version_keys?.[version] ?? '')
  const own = labels.findIndex((label) => bareText(label) === key)
  const [right, ...others] = labels.flatMap((label, i) => (isRight(question, label) ? [i] : []))
  if (own < 0 || right === undefined || others.length > 0 || hasSteps(question)) return null
  return chosen === own ? right : chosen === right ? own : chosen
}

/** Some answers are worth a part of the points: which these are in another version, no key says. */
const hasSteps = ({ criteria }: Question) => criteria.some(({ levels = [] }) => levels.length > 0)

function isRight({ kind, prompt, criteria }: Question, label: string): boolean {
  const judge = (accepted: string[]) =>
    kind === 'true_false' ? judgeTrueFalse(accepted, label) : judgeChoice(prompt, accepted, label)
  return criteria.every((criterion) => judge(acceptedAnswers(criterion)).share === 1)
}
