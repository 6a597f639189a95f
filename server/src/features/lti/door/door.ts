import type { Kept } from '../../../lib/kept.ts'
import type { Framing } from '../../../lib/security-headers.ts'
import type { Services } from '../../../services.ts'
import { createKeySets, type KeySets } from './key-sets.ts'
import { createLtijs, type Ltijs } from './provider.ts'
import type { EnterLaunch } from './verified-launch.ts'

/** What the door is made of, one for each server. */
export interface Door {
  services: Services
  ltijs: Ltijs
  keySets: KeySets
  framing: Kept<Framing>
  enter: EnterLaunch
}

export const createDoor = (services: Services, framing: Kept<Framing>, enter: EnterLaunch): Door => ({
  services,
  framing,
  enter,
  ltijs: createLtijs(services),
  keySets: createKeySets(services),
})
