/** The contract of every key store, with two processes or machines at work. */

import { localEngine } from '../support/key-engines.ts';
import { keyStoreCases } from './key-store-cases.ts';

keyStoreCases([localEngine]);
