import { adminScreens } from './admin-screens.ts'
import { publicScreens } from './public-screens.ts'
import type { Screen } from './screen.ts'
import { studentScreens } from './student-screens.ts'
import { teacherScreens } from './teacher-screens.ts'

/** All screens. A test compares this list with the router. */
export const screens: Screen[] = [...publicScreens, ...teacherScreens, ...studentScreens, ...adminScreens]
