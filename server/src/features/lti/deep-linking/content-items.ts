import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { DeepLinkSettings } from '../../../records/lti/launch.model.ts'
import { datesOf } from '../../assignments/assignment-dates.ts'
import type { AssignmentWithPoints } from '../../assignments/assignment-queries.ts'
import { deepLinkCustomParameters } from '../contexts/custom-parameters.ts'

/** One of many types that an LMS may ask for (deep linking 2.0, 3.2). */
export const RESOURCE_LINK_TYPE = 'ltiResourceLink'

/** Points of a column whose assignment has no rubric yet. */
const DEFAULT_POINTS = 100

/** Wide enough for the paper beside its grade; LMSs make it narrower where they must. */
const FRAME_SIZE = { width: 1100, height: 800 }

/** A link to the tool with its gradebook column and dates (deep linking 2.0, 3.2.3). */
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

/** Where frames are accepted the LMS's default stays; naming several targets would express a preference. */
function presentationOf(targets: string[]) {
  return targets.includes('window') && !targets.includes('iframe')
    ? { window: { targetName: '_blank' } }
    : { iframe: FRAME_SIZE }
}

function lineItemFor({ _id, title, rubric }: AssignmentWithPoints) {
  return {
    label: title,
    scoreMaximum: (rubric && totalPoints(rubric)) || DEFAULT_POINTS,
    ...lineItemIdentifiers(_id),
    // Opens the paper from the gradebook, where the LMS supports it (submission review 1.0).
    submissionReview: {
      reviewableStatus: ['InProgress', 'Submitted', 'Completed'],
      label: 'Open the paper in Assay',
    },
  }
}

/** To recognise our columns among the LMS's. */
export const lineItemIdentifiers = (assignmentId: number) => ({
  resourceId: `assay-assignment-${assignmentId}`,
  tag: 'assay',
})

/** LMSs show the end of `submission` as due date. An end of `available` would lock the link to feedback. */
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
