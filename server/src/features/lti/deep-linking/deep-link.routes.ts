import { answerDeepLink, getLinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import type { Router } from 'express'
import { allow } from '../../../lib/http/allow.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { canTeach } from '../../courses/course.service.ts'
import { type DeepLinkRequest, presentLinkChoice, requireDeepLinkRequest } from './deep-link.service.ts'
import { prepareDeepLinkResponse } from './deep-link-response.service.ts'

/** Only the launch's own course, and only while they teach it; without a course there is nothing to see. */
const canChoose = async (actor: Actor, { course }: DeepLinkRequest) => (course ? canTeach(actor, course) : 'yes')

export function deepLinkRoutes(router: Router, services: Services): void {
  handle(router, getLinkChoice, async ({ actor }) => {
    const deepLink = await requireDeepLinkRequest(actor)
    allow(await canChoose(actor, deepLink))
    return presentLinkChoice(deepLink)
  })

  handle(router, answerDeepLink, async ({ body, actor }) => {
    const deepLink = await requireDeepLinkRequest(actor)
    allow(await canChoose(actor, deepLink))
    return { page: await prepareDeepLinkResponse(deepLink, body.assignment_ids, actor, services) }
  })
}
