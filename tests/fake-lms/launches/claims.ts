import type { Course, Deployment, Person } from '../data/lms-data.ts'
import type { LineItem, Link } from '../data/records.ts'
import {
  AGS_CLAIM,
  CLAIM,
  type Claims,
  DL_CLAIM,
  fillPattern,
  GROUPS_CLAIM,
  type MessageType,
  NRPS_CLAIM,
  ROLE,
  roleUri,
  SCOPE,
} from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'

export interface LaunchRequest {
  as: Person
  deployment: Deployment
  course: Course
  message: MessageType
  link: Link | null
  target: 'iframe' | 'window'
  forUser: Person | null
  lineItem: LineItem | null
  deepLinking: Claims
}

export function targetLinkUriOf(opening: LaunchRequest): string {
  const { message, link, deployment, lineItem } = opening
  if (message === 'LtiDeepLinkingRequest') return deployment.tool.deepLinkingUrl
  const review = lineItem?.submissionReview?.url
  if (message === 'LtiSubmissionReviewRequest' && typeof review === 'string') return review
  return link?.url || deployment.tool.launchUrl
}

function launchRoles(lms: Platform, { as, course }: LaunchRequest): string[] {
  // Moodle's site administrators manage, and so teach, everywhere.
  const teaches = lms.settings.administratorsTeach && lms.isAdmin(as)
  const inCourse = (teaches ? ['Instructor'] : (course.members.get(as.id)?.roles ?? [])).map(roleUri)
  return [...new Set([...inCourse, ...as.roles])]
}

function personClaims({ as, deployment }: LaunchRequest): Claims {
  const { privacy } = deployment.tool
  const named = privacy === 'public' || privacy === 'name_only'
  const mailed = (privacy === 'public' || privacy === 'email_only') && as.email
  return {
    sub: as.id,
    ...(named ? { name: as.name, given_name: as.givenName, family_name: as.familyName } : {}),
    ...(mailed ? { email: as.email } : {}),
    locale: as.locale,
  }
}

export function customClaims({ as, course, deployment, link }: LaunchRequest): Record<string, string> {
  const known: Record<string, string> = {
    'Context.id': course.id,
    'Context.id.history': course.history.map(encodeURIComponent).join(','),
    'Context.title': course.title,
    'ResourceLink.id': link?.id ?? '',
    'ResourceLink.id.history': link?.history.map(encodeURIComponent).join(',') ?? '',
    'ResourceLink.title': link?.title ?? '',
    'ResourceLink.available.startDateTime': link?.available.startDateTime ?? '',
    'ResourceLink.available.endDateTime': link?.available.endDateTime ?? '',
    'ResourceLink.submission.startDateTime': link?.submission.startDateTime ?? '',
    'ResourceLink.submission.endDateTime': link?.submission.endDateTime ?? '',
    'User.id': as.id,
    'User.username': as.username,
    'Person.name.full': as.name,
    'Person.email.primary': as.email,
  }
  const custom = { ...deployment.tool.custom, ...link?.custom }
  return Object.fromEntries(
    Object.entries(custom).map(([name, value]) => [
      name,
      value.startsWith('$') ? (known[value.slice(1)] ?? value) : value,
    ]),
  )
}

function serviceClaims(lms: Platform, { course, deployment, link }: LaunchRequest): Claims {
  const { scopes } = deployment.tool
  const ags = scopes.filter((scope) => scope !== SCOPE.members && scope !== SCOPE.groups)
  // Once a second column hangs on the link the LMS cannot know which one is meant, and names none.
  const [only, ...others] = link ? lms.lineItemsOf(link) : []
  return {
    ...(scopes.includes(SCOPE.members)
      ? {
          [NRPS_CLAIM]: {
            context_memberships_url: lms.membersUrl(course, deployment.tool),
            service_versions: lms.kind.name === 'moodle' ? ['1.0', '2.0'] : ['2.0'],
          },
        }
      : {}),
    ...(scopes.includes(SCOPE.groups)
      ? {
          [GROUPS_CLAIM]: {
            scope: [SCOPE.groups],
            context_groups_url: lms.groupsUrl(course, deployment.tool),
            service_versions: ['1.0'],
          },
        }
      : {}),
    ...(ags.length > 0
      ? {
          [AGS_CLAIM]: {
            scope: ags,
            lineitems: lms.lineItemsUrl(course, deployment.tool),
            ...(only && others.length === 0 ? { lineitem: lms.lineItemUrl(only) } : {}),
          },
        }
      : {}),
  }
}

function messageClaims(lms: Platform, opening: LaunchRequest, data: string): Claims {
  const { link, forUser, course } = opening
  if (opening.message === 'LtiDeepLinkingRequest') {
    return {
      [`${DL_CLAIM}/deep_linking_settings`]: {
        deep_link_return_url: `${lms.url}${fillPattern(lms.kind.paths.deepLinkingReturn, {})}`,
        accept_types: ['ltiResourceLink'],
        accept_presentation_document_targets: ['iframe', 'window'],
        accept_media_types: 'application/vnd.ims.lti.v1.ltilink',
        accept_multiple: true,
        accept_lineitem: true,
        auto_create: true,
        title: '',
        text: '',
        data,
        ...opening.deepLinking,
      },
    }
  }
  return {
    ...(link
      ? {
          [`${CLAIM}/resource_link`]: {
            id: link.id,
            title: link.title,
            ...(link.description ? { description: link.description } : {}),
          },
        }
      : {}),
    ...(opening.message === 'LtiSubmissionReviewRequest' && forUser
      ? {
          [`${CLAIM}/for_user`]: {
            user_id: forUser.id,
            name: forUser.name,
            given_name: forUser.givenName,
            family_name: forUser.familyName,
            email: forUser.email,
            roles: (course.members.get(forUser.id)?.roles ?? []).map(roleUri),
          },
        }
      : {}),
  }
}

const ID_TOKEN_SECONDS = 3600

/** `data`: for deep linking to return. */
export function claimsOf(lms: Platform, opening: LaunchRequest, nonce: string, data: string): Claims {
  const { course, deployment, link, target, as } = opening
  const issuedAt = Math.floor(lms.now().getTime() / 1000)
  const custom = customClaims(opening)
  return {
    iss: lms.issuer,
    aud: deployment.tool.clientId,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_SECONDS,
    nonce,
    ...personClaims(opening),
    [`${CLAIM}/version`]: '1.3.0',
    [`${CLAIM}/message_type`]: opening.message,
    [`${CLAIM}/deployment_id`]: deployment.id,
    [`${CLAIM}/target_link_uri`]: targetLinkUriOf(opening),
    [`${CLAIM}/roles`]: as.testStudent ? [...launchRoles(lms, opening), ROLE.testUser] : launchRoles(lms, opening),
    [`${CLAIM}/context`]: { id: course.id, label: course.label, title: course.title, type: [course.type] },
    [`${CLAIM}/tool_platform`]: {
      guid: new URL(lms.url).host,
      name: 'Northfield School',
      description: 'The fake LMS',
      product_family_code: lms.kind.product,
      version: lms.kind.version,
      url: lms.url,
    },
    [`${CLAIM}/launch_presentation`]: {
      document_target: target,
      return_url: `${lms.url}/courses/${course.id}/return`,
      locale: as.locale,
      ...(target === 'iframe' ? { width: 1000, height: 700 } : {}),
    },
    [`${CLAIM}/lis`]: {
      person_sourcedid: as.username,
      course_section_sourcedid: course.label,
      course_offering_sourcedid: course.label,
    },
    ...(Object.keys(custom).length > 0 ? { [`${CLAIM}/custom`]: custom } : {}),
    ...messageClaims(lms, opening, data),
    ...serviceClaims(lms, opening),
    ...(link && opening.message === 'LtiSubmissionReviewRequest' && opening.lineItem
      ? reviewedLineItemClaims(lms, opening.lineItem)
      : {}),
  }
}

/** A review is always of one column. */
function reviewedLineItemClaims(lms: Platform, item: LineItem): Claims {
  const scope = item.deployment.tool.scopes.filter((one) => one !== SCOPE.members)
  return {
    [AGS_CLAIM]: {
      scope,
      lineitems: lms.lineItemsUrl(item.course, item.deployment.tool),
      lineitem: lms.lineItemUrl(item),
    },
  }
}
