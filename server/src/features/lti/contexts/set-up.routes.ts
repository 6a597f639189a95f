import { getSetUp, linkAssignment, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { Router } from 'express'
import { allow } from '../../../lib/http/allow.ts'
import { notFound } from '../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { requireUser } from '../../users/user.service.ts'
import { presentLaunch } from '../launches/launch.present.ts'
import { requireLaunch } from '../launches/launch.service.ts'
import { setUp, setUpOptionsFor } from './set-up.ts'

export function setUpRoutes(services: Services): Router {
  const router = Router()

  const present = async (actor: Actor) => presentLaunch(await requireLaunch(actor), await requireUser(actor.id))

  handle(router, getSetUp, async ({ actor }) => {
    const found = await requireLaunch(actor)
    allow('yes') // An instructor by this launch, and the options are their own.
    return setUpOptionsFor(found, actor)
  })

  handle(router, setUpLaunch, async ({ body, actor }) => {
    await setUp(await requireLaunch(actor), body, actor, services)
    return present(actor)
  })

  handle(router, linkAssignment, async ({ body, actor }) => {
    const found = await requireLaunch(actor)
    if (found.context?.course_id == null) throw notFound('This course is not set up yet.')
    const { assignment_id } = body
    await setUp(found, { assignment: { kind: 'existing', assignment_id } }, actor, services)
    return present(actor)
  })

  return router
}
