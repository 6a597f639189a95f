import { showFirstBar } from './layout/first-bar.ts'
import { askForFirstData, askForLaunch } from './lib/api/first-requests.ts'
import { launchId } from './lib/session/launch-path.ts'

// In the page itself (`build/inline-first-data.ts`), so data load before the program.
if (launchId !== null) askForLaunch(launchId, location)
else {
  askForFirstData(location.pathname + location.search, { person: true })
  showFirstBar(location.pathname)
}

// A browser's first formatting loads what it knows of languages: 10 ms, on a phone 50, and now it only waits.
setTimeout(() => new Intl.DateTimeFormat().format())
