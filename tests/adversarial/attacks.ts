import type { Attack } from './attack.ts'
import { hiddenAttacks } from './hidden-attacks.ts'
import { spokenAttacks } from './spoken-attacks.ts'
import { stuffingAttacks } from './stuffing-attacks.ts'

export const attacks: Attack[] = [...hiddenAttacks, ...spokenAttacks, ...stuffingAttacks]
