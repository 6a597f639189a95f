import { freshStatements } from './swapped-statements/fresh-statements.ts'
import { moreStatements } from './swapped-statements/more-statements.ts'
import { seenStatements } from './swapped-statements/seen-statements.ts'

/** A key, an answer that says the same in other words, and one that says it the other way round. */
export interface SwappedStatement {
  key: string
  right: string
  swapped: string
}

export const swappedStatements: SwappedStatement[] = [...seenStatements, ...moreStatements, ...freshStatements]
