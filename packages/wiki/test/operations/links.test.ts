import { describe } from 'vitest';
import { inProcess } from './local-backends.ts';
import { batchPagesSuite } from './suites/batch-pages.suite.ts';
import { destinationsSuite } from './suites/destinations.suite.ts';
import { hiddenLinksSuite } from './suites/hidden-links.suite.ts';
import { htmlLinksSuite } from './suites/html-links.suite.ts';
import { mergingSuite } from './suites/merging.suite.ts';
import { movedFilesSuite } from './suites/moved-files.suite.ts';
import { oddLinksSuite } from './suites/odd-links.suite.ts';
import { oddNamesSuite } from './suites/odd-names.suite.ts';
import { propertiesSuite } from './suites/properties.suite.ts';
import { renamingSuite } from './suites/renaming.suite.ts';
import { replacedPagesSuite } from './suites/replaced-pages.suite.ts';

describe('links', () => {
  propertiesSuite(inProcess);
  renamingSuite(inProcess);
  mergingSuite(inProcess);
  replacedPagesSuite(inProcess);
  hiddenLinksSuite(inProcess);
  batchPagesSuite(inProcess);
  destinationsSuite(inProcess);
  oddNamesSuite(inProcess);
  oddLinksSuite(inProcess);
  movedFilesSuite(inProcess);
  htmlLinksSuite(inProcess);
});
