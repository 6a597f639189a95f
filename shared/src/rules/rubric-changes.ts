import { KeyedVersion, type Question, type Rubric } from '../rubrics.ts'

/** What its grade depends on: neither its number nor its place. */
export function questionFingerprint({ prompt, kind, criteria, notes = '', version_keys, bonus }: Question): string {
  return JSON.stringify([
    prompt,
    kind,
    criteria.map(({ id, text, points, expected, alternatives, levels = [] }) => [
      id,
      text,
      points,
      expected,
      alternatives,
      levels.map((level) => [level.points, level.text]),
    ]),
    notes,
    ...versionKeys(version_keys),
    ...(bonus ? ['bonus'] : []),
  ])
}

/** An edit that leaves it unchanged needs no new extraction. */
export function extractionFingerprint({ questions }: Rubric): string {
  return JSON.stringify(
    questions.map(({ id, number, prompt, regions, kind, criteria, version_keys }) => [
      id,
      number,
      prompt,
      regions.map(({ page, box, drawn }) => [page, box.x, box.y, box.width, box.height, ...(drawn ? [drawn] : [])]),
      // Letters of another version become those of version A by both keys.
      ...(version_keys
        ? [
            kind,
            criteria.map((one) => [one.expected, one.alternatives, (one.levels ?? []).length > 0]),
            ...versionKeys(version_keys),
          ]
        : []),
    ]),
  )
}

/** None keep the fingerprint of grades from before versions. */
const versionKeys = (keys: Question['version_keys']) =>
  keys ? [KeyedVersion.options.map((version) => keys[version] ?? null)] : []

export interface QuestionRef {
  id: string
  number: string
}

const toQuestionRef = ({ id, number }: QuestionRef): QuestionRef => ({ id, number })

/** `changed`: in both rubrics, and graded differently by the later. */
export function rubricChanges(before: Rubric | null, after: Rubric | null) {
  const [earlier, later] = [before?.questions ?? [], after?.questions ?? []]
  const known = new Map(earlier.map((question) => [question.id, questionFingerprint(question)]))
  const current = new Set(later.map(({ id }) => id))
  return {
    changed: later
      .filter((one) => known.has(one.id) && known.get(one.id) !== questionFingerprint(one))
      .map(toQuestionRef),
    added: later.filter((one) => !known.has(one.id)).map(toQuestionRef),
    removed: earlier.filter((one) => !current.has(one.id)).map(toQuestionRef),
  }
}
