import type { SelectableStudent } from './useMatching.ts'

export const studentLabel = ({ full_name, username }: SelectableStudent) =>
  full_name ? `${full_name} (${username})` : username
