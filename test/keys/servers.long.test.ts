/** What every engine that keeps keys and sign-ups has to do, on a real Valkey or Redis server and on a cluster. */
import { serverEngines } from '../support/key-engines.ts';
import { keyStoreCases } from './key-store-cases.ts';
import { quotaCases } from './quota-cases.ts';
import { signUpCases } from './sign-ups-cases.ts';

keyStoreCases(serverEngines);
quotaCases(serverEngines);
signUpCases(serverEngines);
