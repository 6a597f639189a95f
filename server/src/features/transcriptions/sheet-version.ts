import { type PaperVersion, paperVersions, type Question } from '@assay/shared/rubrics.ts'
import { bareText } from '@assay/shared/rules/choice-options.ts'
import { answerLabelsOf } from '@assay/shared/rules/sheet-options.ts'
import { judgeChoice } from '../../grader/exact/choices/judge-choice.ts'
import { judgeTrueFalse } from '../../grader/exact/choices/judge-true-false.ts'
import { acceptedAnswers } from '../../grader/text/accepted-answers.ts'
import { inVersion } from '../../grader/text/version-letters.ts'
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

/** What a filled circle says: `text` as it is graded, by the letters of version A where it is right. */
export interface ReadInVersion {
  text: string
  /** How a teacher's correction of it is read. Absent: as it is typed. */
  letters?: { right: string; right_in_a: string }
}

/**
 * A filled circle by its version's key. What is right in a version is what is right in A. What is wrong keeps its own letter and its version:
 * options have other places there, so that what a teacher decides of C in version A says nothing of it. Null: the rubric has no key for the
 * version, or none that is one circle.
 */
export function readInVersion(question: Question, filled: string, version: PaperVersion | null): ReadInVersion | null {
  if (version === null || version === 'A') return { text: filled }
  const labels = answerLabelsOf(question)
  const key = bareText(question.version_keys?.[version] ?? '')
  const right = labels.find((label) => bareText(label) === key)
  const [rightInA, ...others] = labels.filter((label) => isRight(question, label))
  if (right === undefined || rightInA === undefined || others.length > 0 || hasSteps(question)) return null
  const letters = { right, right_in_a: rightInA }
  if (bareText(filled) === key) return { text: rightInA, letters }
  // Of two answers, the one that is not right is the other.
  const wrong = question.kind === 'true_false' ? labels.find((label) => label !== rightInA) : undefined
  return { text: wrong ?? inVersion(filled, version), letters }
}

/** Some answers are worth a part of the points: which these are in another version, no key says. */
const hasSteps = ({ criteria }: Question) => criteria.some(({ levels = [] }) => levels.length > 0)

function isRight({ kind, prompt, criteria }: Question, label: string): boolean {
  const judge = (accepted: string[]) =>
    kind === 'true_false' ? judgeTrueFalse(accepted, label) : judgeChoice(prompt, accepted, label)
  return criteria.every((criterion) => judge(acceptedAnswers(criterion)).share === 1)
}
