import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory, SuggestionEntry } from '@assay/shared/grade-history.ts'
import { percentFromPoints } from '@assay/shared/rules/criterion-points.ts'
import { z } from 'zod'
import { formatPercent, formatPoints } from '../../../lib/format.ts'
import { criterionName } from './criterion-names.ts'
import type { EventDescription } from './event-description.ts'

const Points = z.record(z.string(), z.number())
/** A grade as the audit log stores it; older entries have fewer fields. */
const Decision = z.object({
  overall_score: z.number().nullish(),
  manual_score_override: z.number().nullable().default(null),
  manual_feedback: z.string().nullable().default(null),
  needs_review: z.boolean().optional(),
  points: Points.default({}),
  criterion_feedback: z.record(z.string(), z.string()).default({}),
})
type Decision = z.infer<typeof Decision>

/** What a teacher decided on a grade; null for an entry that is not one. */
export function describeOverride(
  entry: AuditEntry,
  who: string,
  { suggestions }: Pick<GradeHistory, 'suggestions'>,
): EventDescription | null {
  const [before, after] = [Decision.safeParse(entry.before).data, Decision.safeParse(entry.after).data]
  if (!before || !after) return null
  const suggestion = suggestionAtDecision(entry, suggestions)
  const criteria = suggestion?.criteria ?? []
  const points = pointsChanged(before.points, after.points, criteria)
  const ai = after.overall_score ?? suggestion?.overall_score ?? undefined
  const wrote = before.manual_feedback !== after.manual_feedback
  const clauses = [
    ...points,
    ...scoreChanged(before, after, ai, points.length > 0, criteria),
    ...(wrote ? [feedbackChanged(before, after)] : []),
    ...wordsChanged(before.criterion_feedback, after.criterion_feedback, criteria),
    ...(!before.needs_review && after.needs_review ? ['flagged the paper for review'] : []),
  ]
  const final = after.manual_score_override ?? ai
  const [first = approval(before, final), ...more] = clauses
  return {
    headline: `${who} ${first}`,
    details: [
      ...more.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`),
      ...(points.length > 0 ? gradeChange(before.manual_score_override ?? ai, final) : []),
    ],
    quote: wrote ? (after.manual_feedback ?? undefined) : undefined,
  }
}

/** The suggestion that stood then. */
function suggestionAtDecision(entry: AuditEntry, suggestions: SuggestionEntry[]): SuggestionEntry | undefined {
  const id = entry.subjects.find(({ kind }) => kind === 'grade')?.id
  return suggestions.find(({ grade_id }) => grade_id === id) ?? suggestions.findLast(({ at }) => at <= entry.at)
}

function pointsChanged(
  before: Record<string, number>,
  after: Record<string, number>,
  criteria: SuggestionEntry['criteria'],
): string[] {
  return Object.keys({ ...before, ...after }).flatMap((id) => {
    const [was, is] = [before[id], after[id]]
    if (was === is) return []
    const criterion = criteria.find(({ criterion_id }) => criterion_id === id)
    const name = criterion ? criterionName(criterion, criteria) : 'a deleted question'
    const ai = criterion?.score ?? undefined
    if (is === undefined)
      return [`removed their points for ${name}${ai === undefined ? '' : `: the AI’s ${formatPoints(ai)} count again`}`]
    if (was === undefined && ai === is) return [`kept the AI’s ${formatPoints(is)} for ${name}`]
    const from = was ?? ai
    return [
      from === undefined
        ? `gave ${formatPoints(is)} for ${name}`
        : `changed the points of ${name} from ${was === undefined ? 'the AI’s ' : ''}${formatPoints(from)} to ${formatPoints(is)}`,
    ]
  })
}

/** A score for the paper as a whole; what points come to is none. */
function scoreChanged(
  before: Decision,
  after: Decision,
  ai: number | undefined,
  byPoints: boolean,
  criteria: SuggestionEntry['criteria'],
): string[] {
  const [was, is] = [before.manual_score_override, after.manual_score_override]
  if (was === is || (byPoints && (is === null || percentFromPoints(after.points, criteria) === is))) return []
  if (is === null)
    return [`took back their score${ai === undefined ? '' : `: the AI’s ${formatPercent(ai)} counts again`}`]
  if (was !== null) return [`changed the grade from ${formatPercent(was)} to ${formatPercent(is)}`]
  const instead = ai === undefined || ai === is ? '' : ` instead of the AI’s ${formatPercent(ai)}`
  return [`set the grade to ${formatPercent(is)}${instead}`]
}

function feedbackChanged({ manual_feedback: was }: Decision, { manual_feedback: is }: Decision): string {
  if (is === null) return 'removed their feedback; the AI summary is shown again'
  return was === null ? 'wrote feedback to the student' : 'changed the feedback to the student'
}

/** The teacher's sentences for single criteria. */
function wordsChanged(
  before: Record<string, string>,
  after: Record<string, string>,
  criteria: SuggestionEntry['criteria'],
): string[] {
  return Object.keys({ ...before, ...after }).flatMap((id) => {
    const [was, is] = [before[id], after[id]]
    if (was === is) return []
    const criterion = criteria.find(({ criterion_id }) => criterion_id === id)
    const name = criterion ? criterionName(criterion, criteria) : 'a deleted question'
    if (is === undefined) return [`removed their feedback for ${name}; the AI’s is shown again`]
    return [`${was === undefined ? 'wrote' : 'changed the'} feedback for ${name}: “${is}”`]
  })
}

function approval({ needs_review }: Decision, final: number | undefined): string {
  const what = final === undefined ? 'the grade' : `the grade of ${formatPercent(final)}`
  return needs_review ? `reviewed the flagged paper and approved ${what}` : `approved ${what}`
}

function gradeChange(was: number | undefined, is: number | undefined): string[] {
  if (was === undefined || is === undefined || was === is) return []
  return [`The grade went from ${formatPercent(was)} to ${formatPercent(is)}.`]
}
