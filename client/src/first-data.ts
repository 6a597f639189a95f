import { showFirstBar } from './layout/first-bar.ts'
import { askForFirstData, askForLaunch } from './lib/api/first-requests.ts'
import { launchId } from './lib/session/launch-path.ts'

// Inlined into the page (`build/inline-first-data.ts`), so data load before the program.
if (launchId !== null) askForLaunch(launchId, location)
else {
  askForFirstData(location.pathname + location.search, { person: true })
  showFirstBar(location.pathname)
}

// The first formatting loads locale data (10 ms, on a phone 50): while the page only waits, but not before a launch's
// heading is drawn.
const loadLocaleData = () => setTimeout(() => new Intl.DateTimeFormat().format())
if (launchId === null) loadLocaleData()
else requestAnimationFrame(loadLocaleData)
