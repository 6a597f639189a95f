import type { AssignmentDoc } from '../../assignments/assignment.model.ts'
import { datesOf } from '../../assignments/assignment-window.ts'
import { rubricPoints } from '../../assignments/rubric-points.ts'
import { linkCustom } from '../launches/custom-parameters.ts'
import type { DeepLinkSettings } from '../launches/launch.model.ts'
import type { LinkableDoc } from './linkable-assignments.ts'

/** What we add is one type of many that an LMS may ask for (deep linking 2.0, 3.2). */
export const LINK_TYPE = 'ltiResourceLink'

/** Points of a column whose assignment nobody has read the questions of yet. */
const POINTS_UNREAD = 100

/** As wide as a review with the paper beside the grade wants it; LMSs make it narrower where they must. */
const FRAME = { width: 1100, height: 800 }

/**
 * An assignment as the LMS adds it to its course: a link to the tool, its gradebook column and its dates (deep linking 2.0, 3.2.3).
 */
export function contentItemOf(
  assignment: LinkableDoc,
  settings: Pick<DeepLinkSettings, 'accept_lineitem' | 'document_targets'>,
  publicUrl: string,
) {
  return {
    type: LINK_TYPE,
    title: assignment.title,
    url: `${publicUrl.replace(/\/+$/, '')}/lti/launch`,
    custom: linkCustom(assignment._id),
    ...placeOf(settings.document_targets ?? []),
    ...(settings.accept_lineitem ? { lineItem: columnOf(assignment) } : {}),
    ...timesOf(assignment),
  }
}

/** The LMS's own way of opening tools stands where it takes frames; several ways offered at once would be ours to prefer. */
function placeOf(targets: string[]) {
  return targets.includes('window') && !targets.includes('iframe')
    ? { window: { targetName: '_blank' } }
    : { iframe: FRAME }
}

function columnOf({ _id, title, rubric }: LinkableDoc) {
  return {
    label: title,
    scoreMaximum: rubricPoints(rubric) ?? POINTS_UNREAD,
    ...lineItemNames(_id),
    // From the gradebook straight to the paper, where the LMS has that (submission review 1.0).
    submissionReview: {
      reviewableStatus: ['InProgress', 'Submitted', 'Completed'],
      label: 'Open the paper in Assay',
    },
  }
}

/** By what a column of ours is found again among the LMS's. */
export const lineItemNames = (assignmentId: number) => ({
  resourceId: `assay-assignment-${assignmentId}`,
  tag: 'assay',
})

/**
 * Due is due: what LMSs show as the due date comes from the end of `submission`. The end of `available` is left out on purpose: it
 * locks the link, and students come back by it to read their feedback.
 */
function timesOf(assignment: Pick<AssignmentDoc, 'available_at' | 'due_at' | 'closes_at' | 'late_rule'>) {
  const { available_at, due_at, closes_at } = datesOf(assignment)
  const start = available_at ? { startDateTime: available_at.toISOString() } : {}
  const end = due_at ?? closes_at
  const submission = { ...start, ...(end ? { endDateTime: end.toISOString() } : {}) }
  return {
    ...(available_at ? { available: start } : {}),
    ...(Object.keys(submission).length > 0 ? { submission } : {}),
  }
}
