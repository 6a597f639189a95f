import type { Course, Person as LmsPerson } from '../../../tests/fake-lms/data/lms-data.ts'
import type { Link, NewTool, Tool } from '../../../tests/fake-lms/data/records.ts'
import type { FakeLms } from '../../../tests/fake-lms/fake-lms.ts'
import { addEnrollments } from '../features/courses/enrollment.service.ts'
import { scopes } from '../features/lti/platform-client/access-token.ts'
import { createPlatform, type NewPlatform } from '../features/lti/platforms/platform.service.ts'
import { newReport } from '../features/lti/roster/sync-report.ts'
import { newUserDoc } from '../features/users/user.service.ts'
import { nextId } from '../lib/database/database.ts'
import { CourseModel } from '../records/courses/course.model.ts'
import { type LtiContextDoc, LtiContextModel } from '../records/lti/context.model.ts'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiMemberModel } from '../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../records/lti/platform.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../records/lti/resource-link.model.ts'
import { type UserDoc, UserModel } from '../records/people/user.model.ts'
import type { RunningServer } from '../start.ts'

/* Inserted directly into the database; launches themselves are tested through their endpoints. */

type RegistrationOverrides = { tool?: Partial<NewTool>; platform?: Partial<NewPlatform> }

export async function registerLms(
  { url, services }: Pick<RunningServer, 'url' | 'services'>,
  lms: FakeLms,
  { tool = {}, platform = {} }: RegistrationOverrides = {},
): Promise<LtiPlatformDoc> {
  const launchUrl = `${url}/lti/launch`
  const registered = lms.registerTool({
    loginUrl: `${url}/lti/login`,
    launchUrl,
    jwksUrl: `${url}/lti/keys`,
    redirectUris: [...new Set([launchUrl, `${services.config.publicUrl}/lti/launch`])],
    ...tool,
  })
  const now = services.clock.now()
  return createPlatform(
    {
      name: lms.kind.name === 'canvas' ? 'Canvas' : 'Moodle',
      lms: lms.kind.name,
      issuer: lms.issuer,
      client_id: registered.clientId,
      auth_endpoint: lms.authorizationUrl,
      token_endpoint: lms.tokenUrl,
      token_audience: null,
      jwks_url: lms.jwksUrl,
      status: 'active',
      deployments: [{ id: registered.deploymentId, first_seen_at: now }],
      ...platform,
    },
    services,
  )
}

export function toolOf(lms: FakeLms, platform: LtiPlatformDoc): Tool {
  const tool = lms.tools.get(platform.client_id)
  if (!tool) throw new Error('the tool is not registered in this LMS')
  return tool
}

const deploymentOf = (lms: FakeLms, platform: LtiPlatformDoc) => lms.deploymentOf(toolOf(lms, platform)).id

export async function linkCourse(
  lms: FakeLms,
  platform: LtiPlatformDoc,
  course: Course,
  courseId: number | null,
  more: Partial<LtiContextDoc> = {},
): Promise<LtiContextDoc> {
  const tool = toolOf(lms, platform)
  const now = new Date()
  const context: LtiContextDoc = {
    _id: await nextId('lti_contexts'),
    platform_id: platform._id,
    deployment_id: deploymentOf(lms, platform),
    context_id: course.id,
    title: course.title,
    label: course.label,
    course_id: courseId,
    history: course.history,
    memberships_url: lms.membersUrl(course, tool),
    lineitems_url: lms.lineItemsUrl(course, tool),
    ags_scopes: tool.scopes.filter((scope) => scope !== scopes.members),
    // Not due soon; tests of syncs set the time themselves.
    roster: { ...newReport(now), state: 'done', finished_at: now.toISOString() },
    sync_due_at: new Date('2100-01-01'),
    created_at: now,
    launched_at: now,
    ...more,
  }
  await LtiContextModel.create(context)
  return context
}

export async function linkAssignment(
  lms: FakeLms,
  context: LtiContextDoc,
  link: Link,
  assignmentId: number | null,
  more: Partial<LtiResourceLinkDoc> = {},
): Promise<LtiResourceLinkDoc> {
  const [item, ...others] = lms.lineItemsOf(link)
  const now = new Date()
  const doc: LtiResourceLinkDoc = {
    _id: await nextId('lti_links'),
    platform_id: context.platform_id,
    deployment_id: context.deployment_id,
    context: context._id,
    resource_link_id: link.id,
    title: link.title,
    assignment_id: assignmentId,
    course_only: false,
    named_assignment_id: null,
    history: link.history,
    lineitem_url: item && others.length === 0 ? lms.lineItemUrl(item) : null,
    created_at: now,
    launched_at: now,
    ...more,
  }
  await LtiResourceLinkModel.create(doc)
  return doc
}

/** `user`: an existing account, joined by its owner. */
export async function linkPerson(
  platform: LtiPlatformDoc,
  context: LtiContextDoc,
  person: LmsPerson,
  { role = 'student', user }: { role?: 'student' | 'instructor'; user?: UserDoc } = {},
): Promise<UserDoc> {
  const now = new Date()
  const identity = await nextId('lti_identities')
  const account = user ?? {
    ...newUserDoc(
      await nextId('users'),
      { username: person.username, email: person.email, password_hash: null, role, full_name: person.name },
      now,
    ),
    email_key: `lti:${identity}`,
    from_lms: true,
    test_user: person.testStudent,
  }
  if (!user) await UserModel.create(account)
  await LtiIdentityModel.create({
    _id: identity,
    issuer: platform.identity_issuer,
    sub: person.id,
    user_id: account._id,
    test_user: person.testStudent,
    created_at: now,
  })
  await LtiMemberModel.create({
    _id: `${context._id}/${person.id}`,
    context: context._id,
    sub: person.id,
    user_id: account._id,
    role,
    status: 'active',
    name: person.name,
    email: person.email,
    test_user: person.testStudent,
    synced_at: null,
    updated_at: now,
  })
  if (context.course_id !== null) {
    if (role === 'student') await addEnrollments(context.course_id, [{ user_id: account._id, added_by: 'lms' }], now)
    else
      await CourseModel.updateOne(
        { _id: context.course_id },
        { $addToSet: { instructor_ids: account._id, lms_instructor_ids: account._id } },
      )
  }
  return account
}

export const linkStudent = (platform: LtiPlatformDoc, context: LtiContextDoc, person: LmsPerson) =>
  linkPerson(platform, context, person)
