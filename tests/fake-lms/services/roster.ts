import type { Course, Member } from '../data/lms-data.ts'
import type { Link, Tool } from '../data/records.ts'
import { customClaims } from '../launches/claims.ts'
import { CLAIM, type Claims, MEDIA, roleUri, SCOPE, shortRole } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { pageOf, queryParameter, type ServiceCall, ServiceRefusal, withQuery } from './service.ts'

function memberClaims(
  lms: Platform,
  { person, roles, status }: Member,
  { privacy, scopes }: Tool,
  course: Course,
): Claims {
  const named = privacy === 'public' || privacy === 'name_only'
  const mailed = (privacy === 'public' || privacy === 'email_only') && person.email
  const uris = [...roles.map(roleUri), ...(person.testStudent ? person.roles : [])]
  return {
    status,
    user_id: person.id,
    roles: lms.kind.shortRolesInRoster ? uris.map(shortRole) : uris,
    lis_person_sourcedid: person.username,
    ...(scopes.includes(SCOPE.groups)
      ? {
          group_enrollments: course.groups
            .filter(({ people }) => people.includes(person))
            .map(({ id }) => ({ group_id: id })),
        }
      : {}),
    ...(named ? { name: person.name, given_name: person.givenName, family_name: person.familyName } : {}),
    ...(mailed ? { email: person.email } : {}),
  }
}

function messageOf(link: Link, { person }: Member): Claims {
  const { course, deployment } = link
  const custom = customClaims({
    as: person,
    course,
    deployment,
    link,
    message: 'LtiResourceLinkRequest',
    target: 'iframe',
    forUser: null,
    lineItem: null,
    deepLinking: {},
  })
  return {
    [`${CLAIM}/message_type`]: 'LtiResourceLinkRequest',
    [`${CLAIM}/version`]: '1.3.0',
    [`${CLAIM}/resource_link`]: { id: link.id, title: link.title },
    [`${CLAIM}/custom`]: custom,
  }
}

export function answerMembers(lms: Platform, { request, response, tool, course }: ServiceCall): void {
  const rlid = queryParameter(request, 'rlid')
  const link = rlid === undefined ? null : lms.links.get(rlid)
  if (link === undefined || (link && (link.course !== course || link.deployment.tool !== tool)))
    throw new ServiceRefusal(rlid ? 404 : 400, `No resource link ${rlid} in this course`)
  const role = queryParameter(request, 'role')
  const members = [...course.members.values()].filter(
    (member) => !role || member.roles.some((one) => roleUri(one) === roleUri(role)),
  )
  const address = lms.membersUrl(course, tool)
  const { rows, next } = pageOf(members, request, lms.settings.pageSize)
  const following = next ?? (lms.settings.endlessRoster ? { from: 0, limit: rows.length || 1 } : null)
  if (following) {
    const query = { ...following, role, rlid }
    response.setHeader('link', `<${withQuery(address, query)}>; rel="next"`)
  }
  response
    .type(MEDIA.members)
    .json({
      id: address,
      context: { id: course.id, label: course.label, title: course.title },
      members: rows.map((member) => ({
        ...memberClaims(lms, member, tool, course),
        ...(link ? { message: [messageOf(link, member)] } : {}),
      })),
    })
}

export function answerGroups(lms: Platform, { response, tool, course }: ServiceCall): void {
  const groups = course.groups.map(({ id, name }) => ({ id, name }))
  response.type(MEDIA.groups).json({ id: lms.groupsUrl(course, tool), groups })
}
