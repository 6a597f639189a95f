import type { Attack } from './attack.ts'
import { hiddenTextAttacks } from './hidden-text-attacks.ts'
import { promptInjectionAttacks } from './prompt-injection-attacks.ts'
import { stuffingAttacks } from './stuffing-attacks.ts'

export const attacks: Attack[] = [...hiddenTextAttacks, ...promptInjectionAttacks, ...stuffingAttacks]
