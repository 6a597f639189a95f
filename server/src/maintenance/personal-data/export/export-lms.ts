import type { ExportedData } from '@assay/shared/exported-data.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { assignmentsById, type ExportScope, mayShow, named } from './export-scope.ts'

/** What LMSs say of the person, and which scores they have from us. */
export async function exportLmsRecords(export_: ExportScope): Promise<ExportedData['lms']> {
  const theirs = { user_id: { $in: export_.ids } }
  const [identities, members, launches, scores] = await Promise.all([
    LtiIdentityModel.find(theirs).sort({ _id: 1 }).lean(),
    LtiMemberModel.find(theirs).sort({ _id: 1 }).lean(),
    LtiLaunchModel.find(theirs).sort({ created_at: -1 }).lean(),
    LtiScoreModel.find({ ...theirs, accepted: { $ne: null } })
      .sort({ _id: 1 })
      .lean(),
  ])
  const contexts = await LtiContextModel.find(
    { _id: { $in: members.map(({ context }) => context) } },
    { title: 1 },
  ).lean()
  const titles = new Map(contexts.map(({ _id, title }) => [_id, title]))
  const assignments = await assignmentsById(scores.map(({ assignment_id }) => assignment_id))
  return {
    identities: identities.map(({ issuer, sub, created_at }) => ({
      issuer,
      user_id: sub,
      since: created_at.toISOString(),
    })),
    memberships: members.map(({ context, role, status, name, email, sis_id, updated_at }) => ({
      course: titles.get(context) ?? null,
      role,
      state: status,
      name,
      email,
      number: sis_id ?? null,
      updated_at: updated_at.toISOString(),
    })),
    launches: launches.map(({ created_at, role }) => ({ at: created_at.toISOString(), role })),
    scores: scores.flatMap(({ assignment_id, accepted }) => {
      const assignment = assignments.get(assignment_id)
      if (!assignment || !accepted || !mayShow(export_, assignment)) return []
      const { percent, comment, at } = accepted
      return [{ assignment: named(assignment), percent, comment, at: at.toISOString() }]
    }),
  }
}
