import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { DeepLinkSettings } from '../../../records/lti/launch.model.ts'
import { datesOf } from '../../assignments/assignment-dates.ts'
import type { AssignmentWithPoints } from '../../assignments/assignment-queries.ts'
import { totalRubricPoints } from '../../assignments/rubric-points.ts'
import { deepLinkCustomParameters } from '../contexts/custom-parameters.ts'

/** What we add is one type of many that an LMS may ask for (deep linking 2.0, 3.2). */
export const RESOURCE_LINK_TYPE = 'ltiResourceLink'

/** Points of a column whose assignment nobody has read the questions of yet. */
const DEFAULT_POINTS = 100

/** As wide as a review with the paper beside the grade wants it; LMSs make it narrower where they must. */
const FRAME_SIZE = { width: 1100, height: 800 }

/**
 * An assignment as the LMS adds it to its course: a link to the tool, its gradebook column and its dates (deep linking 2.0, 3.2.3).
 */
export function contentItemOf(
  assignment: AssignmentWithPoints,
  settings: Pick<DeepLinkSettings, 'accept_lineitem' | 'document_targets'>,
  publicUrl: string,
) {
  return {
    type: RESOURCE_LINK_TYPE,
    title: assignment.title,
    url: `${publicUrl.replace(/\/+$/, '')}/lti/launch`,
    custom: deepLinkCustomParameters(assignment._id),
    ...presentationOf(settings.document_targets ?? []),
    ...(settings.accept_lineitem ? { lineItem: lineItemFor(assignment) } : {}),
    ...periodsOf(assignment),
  }
}

/** The LMS's default way of opening tools stays where it accepts frames; naming several would express a preference of ours. */
function presentationOf(targets: string[]) {
  return targets.includes('window') && !targets.includes('iframe')
    ? { window: { targetName: '_blank' } }
    : { iframe: FRAME_SIZE }
}

function lineItemFor({ _id, title, rubric }: AssignmentWithPoints) {
  return {
    label: title,
    scoreMaximum: totalRubricPoints(rubric) ?? DEFAULT_POINTS,
    ...lineItemIdentifiers(_id),
    // From the gradebook straight to the paper, where the LMS has that (submission review 1.0).
    submissionReview: {
      reviewableStatus: ['InProgress', 'Submitted', 'Completed'],
      label: 'Open the paper in Assay',
    },
  }
}

/** By what a column of ours is found again among the LMS's. */
export const lineItemIdentifiers = (assignmentId: number) => ({
  resourceId: `assay-assignment-${assignmentId}`,
  tag: 'assay',
})

/**
 * Due is due: what LMSs show as the due date comes from the end of `submission`. The end of `available` is left out on purpose: it
 * locks the link, and students come back by it to read their feedback.
 */
function periodsOf(assignment: Pick<AssignmentDoc, 'available_at' | 'due_at' | 'closes_at' | 'late_rule'>) {
  const { available_at, due_at, closes_at } = datesOf(assignment)
  const start = available_at ? { startDateTime: available_at.toISOString() } : {}
  const end = due_at ?? closes_at
  const submission = { ...start, ...(end ? { endDateTime: end.toISOString() } : {}) }
  return {
    ...(available_at ? { available: start } : {}),
    ...(Object.keys(submission).length > 0 ? { submission } : {}),
  }
}
