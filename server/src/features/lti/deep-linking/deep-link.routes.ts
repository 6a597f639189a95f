import { answerDeepLink, getLinkChoice } from '@assay/shared/lti-deep-linking.ts'
import { Router } from 'express'
import { allow } from '../../../lib/allow.ts'
import { type Actor, handle } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { canTeach } from '../../courses/course.policy.ts'
import { prepareAnswer } from './answer.service.ts'
import { type DeepLink, presentChoice, requireDeepLink } from './deep-link.service.ts'

/** Of the launch's own course alone, and only while they teach it; before there is a course there is nothing to see. */
const canChoose = (actor: Actor, { course }: DeepLink) => (course ? canTeach(actor, course) : 'yes')

export function deepLinkRoutes(services: Services): Router {
  const router = Router()

  handle(router, getLinkChoice, async ({ actor }) => {
    const deepLink = await requireDeepLink(actor)
    allow(canChoose(actor, deepLink))
    return presentChoice(deepLink)
  })

  handle(router, answerDeepLink, async ({ body, actor }) => {
    const deepLink = await requireDeepLink(actor)
    allow(canChoose(actor, deepLink))
    return { page: await prepareAnswer(deepLink, body.assignment_ids, actor, services) }
  })

  return router
}
